% Tells which digits pictures show: octave classify.m <folder of make_model.py> <picture.pgm>...
% mxnet_predict.mex must be in this folder or on the path: README.md says how it is built.
1; % a script, not a function file

function pixels = read_picture (path)
  header = ["P5\n28 28\n255\n"];
  file = fopen (path, "rb");
  if (file < 0)
    error ("%s cannot be read", path);
  endif
  bytes = fread (file, Inf, "uint8=>single");
  fclose (file);
  if (numel (bytes) != numel (header) + 28^2 || ! isequal (char (bytes(1:numel (header))'), header))
    error ("%s is not a PGM picture of 28 x 28 grey values", path);
  endif
  % The file has row after row. Octave runs down columns first: reshaped like this it is what the network reads.
  pixels = reshape (bytes(numel (header)+1:end), 28, 28);
endfunction

arguments = argv ();
if (numel (arguments) < 2)
  error ("usage: octave classify.m <folder> <picture.pgm>...");
endif
folder = arguments{1};
pictures = arguments(2:end);
batch = cellfun (@read_picture, pictures, "UniformOutput", false);
batch = cat (4, batch{:});
shape = [28 28 1 numel(pictures)];
probabilities = mxnet_predict ([folder "/digits-symbol.json"], [folder "/digits-0000.params"], "data", batch, shape);
[probability, best] = max (probabilities); % a column for each picture
for i = 1:numel (pictures)
  [~, name, ending] = fileparts (pictures{i});
  printf ("%s%s: %d (%f)\n", name, ending, best(i) - 1, probability(i));
endfor
