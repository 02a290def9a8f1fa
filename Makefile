# Everything works from a fresh clone: the first target that needs it makes .venv and installs the project there.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PIP    := $(BIN)/python -m pip --disable-pip-version-check install -q -c constraints.txt
CODE   := mxnet tests benchmarks examples docs setup.py noxfile.py
# One computing thread per test process; more processes are faster than more threads for small arrays.
JOBS   ?= 2
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q
# What makes oneDNN, torch and MKL (and by torch our own kernels) keep to other instructions than the processor's best.
AVX2   := ONEDNN_MAX_CPU_ISA=AVX2 ATEN_CPU_CAPABILITY=avx2 MKL_ENABLE_INSTRUCTIONS=AVX2
PLAIN  := ONEDNN_MAX_CPU_ISA=SSE41 ATEN_CPU_CAPABILITY=default MKL_ENABLE_INSTRUCTIONS=SSE4_2
SECOND := $(if $(shell grep -m 1 avx512f /proc/cpuinfo 2>/dev/null),$(AVX2),$(PLAIN))
# The tests of what has kernels for each set of instructions.
KERNELS := $(addprefix tests/ops/test_,accuracy.py batch_norm.py cross_entropy.py direct.py max_pool.py native.py nn_layout.py random_original.py rnn_native.py \
	rnn_op.py sweep.py winograd.py) tests/graph/test_quantization.py tests/symbol/test_networks.py

.DEFAULT_GOAL := help
.PHONY: help install test isa sweep programs lint format types train docs pages wheel release slow compilers browser languages serving transformers fashion packages \
	differential stubs calls bench scaling figures stranger fuzz sanitize accuracy soak matrix golden clean

help:  ## show this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/^([a-z]+):[^#]*## */  make \1\t/' | expand -t 16

$(READY): pyproject.toml constraints.txt setup.py $(wildcard mxnet/native/*.[ch] mxnet/predict/*.c)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) $$(grep -E '^(torch|setuptools)==' constraints.txt)
	$(PIP) --no-build-isolation -e '.[docs,plot,s3,test]'
	touch $(READY)

install: $(READY)  ## make .venv and install the project with everything that tests need

test: lint types programs  ## check style and types, run the tests
	$(PYTEST) -n $(JOBS)
	$(SECOND) $(PYTEST) -n $(JOBS) $(KERNELS)

isa: $(READY)  ## run all tests with every set of instructions, with 1, 2 and 4 threads
	for isa in "MXNET_NATIVE=1" "$(AVX2)" "$(PLAIN)"; do for threads in 1 2 4; do echo "$$isa, $$threads thread(s)"; \
		env $$isa OMP_NUM_THREADS=$$threads $(BIN)/python -m pytest -q -n $(JOBS) || exit 1; done; done

sweep: $(READY)  ## run convolutions, pooling and normalization over odd shapes, to find crashes and wrong numbers
	for isa in "MXNET_NATIVE=1" "$(AVX2)" "$(PLAIN)"; do env $$isa $(BIN)/python tests/sweep $(ARGS) || exit 1; done

programs:  # what pip does not have; without it the tests that draw graphs are skipped
	@command -v dot >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& apt-get update -qq && apt-get install -y -qq graphviz >/dev/null; } || echo 'Graphviz (dot) is missing' >&2

lint: $(READY)  ## ruff: rules and format
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)

types: $(READY)  ## mypy
	$(BIN)/mypy

format: $(READY)  ## let ruff repair what it can
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

train: $(READY)  ## train two networks on the bundled digits and draw a picture of it
	$(BIN)/python examples/train_digits.py $(ARGS)

docs: $(READY)  ## build the documentation into build/site, English and Chinese; warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

stubs: $(READY)  ## write the stubs (.pyi) for type checkers and editors
	$(BIN)/python docs/stubs.py

pages: $(READY) programs  ## run the code of the documentation, write its outputs, pictures and tables
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/run_blocks.py --update

# Wheels for each Python of PYTHONS that is installed; the sdist only once. Each is built in an environment of its own.
PYTHONS ?= python3.11 python3.12 python3.13
DIST := build/dist
wheel: $(READY)  ## build a wheel of the project into build/dist, for the Python of .venv
	$(BIN)/python -m pip wheel -q --no-deps --no-build-isolation -w $(DIST) .
	@ls $(DIST)/*.whl

release: $(READY)  ## build sdist and wheels for every Python found (PYTHONS="python3.12"), check them, and the version
	$(PIP) build twine
	$(BIN)/python docs/release.py --check
	rm -rf $(DIST)
	$(BIN)/python -m build -q --sdist --outdir $(DIST)
	@for python in $(PYTHONS); do $$python -c '' 2>/dev/null || { echo "without $$python: not installed"; continue; }; \
		$$python -m pip wheel -q --no-deps -w $(DIST) $(DIST)/mxnext-*.tar.gz || exit 1; done
	$(BIN)/python -m twine check --strict $(DIST)/*

slow: $(READY) compilers browser  ## run the tests that take minutes; MNIST=<directory> FASHION=<directory> add those on whole data sets
	MXNET_TEST_MNIST=$(or $(MNIST),$$MXNET_TEST_MNIST) MXNET_TEST_FASHION_MNIST=$(or $(FASHION),$$MXNET_TEST_FASHION_MNIST) \
		MXNET_TEST_PACKAGES=$(or $(PACKAGES),$$MXNET_TEST_PACKAGES) $(PYTEST) -n $(JOBS) -m slow
	$(MAKE) --no-print-directory sanitize

# Without what they ask for: ExecuTorch wants an antlr4 that moto, for the tests of S3, cannot use.
compilers: $(READY)  ## install ExecuTorch and TVM, which the slow tests give networks to
	$(PIP) --no-deps executorch torchao expecttest ruamel.yaml tabulate apache-tvm apache-tvm-ffi

# Programs and the packages that have them. Only those of missing programs: a nodejs that is not Debian's comes with npm.
LANGUAGES := c++:g++ node:nodejs npm:npm chromium:chromium Rscript:r-cran-reticulate octave:octave mkoctfile:octave-dev
languages: $(READY)  ## install what other languages need (apt-get, npm) and run examples/languages in C, C++, JavaScript, R, Octave
	@for pair in $(LANGUAGES); do command -v $${pair%%:*} >/dev/null || missing="$$missing $${pair##*:}"; done; \
		test -z "$$missing" || { apt-get update -qq && apt-get install -y -qq --no-install-recommends $$missing >/dev/null; }
	npm ci --prefix examples/languages/javascript --no-audit --no-fund --ignore-scripts --loglevel=error
	$(PYTEST) -m slow tests/deploy/test_languages.py

transformers: $(READY)  ## get transformers and onnxscript (pip), and import what torch exports of them to ONNX
	$(BIN)/python -m pip --disable-pip-version-check install -q --upgrade -c constraints.txt --target data/transformers \
		transformers==5.22.2 onnxscript==0.7.2
	$(PYTEST) -m slow tests/deploy/test_onnx_transformers.py

serving: $(READY)  ## get multi-model-server (pip) and Java (apt-get), and run the tests of serving with them
	@command -v java >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends default-jre-headless >/dev/null; }
	$(BIN)/python -m pip --disable-pip-version-check install -q --upgrade --target data/serving multi-model-server==1.1.11 \
		model-archiver==1.0.3 pillow psutil future
	$(PYTEST) tests/deploy/test_serving.py -m 'slow or not slow'

# Debian's, as Playwright's own cannot be had everywhere; without it the tests of the built documentation are skipped.
browser: $(READY)  ## install what the slow tests open the documentation with
	$(PIP) playwright
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& apt-get update -qq && apt-get install -y -qq chromium fonts-noto-cjk >/dev/null; } || echo 'Chromium is missing' >&2

# Without what they ask for, since that is NumPy 1: what they need of it comes with them, or is there.
packages: $(READY)  ## get packages built on MXNet into data/packages: make slow PACKAGES=data/packages tests them
	rm -rf data/packages data/packages-gluoncv-0.7
	$(PIP) cython
	$(BIN)/python -m pip --disable-pip-version-check install -q --no-deps --target data/packages gluoncv==0.10.5 \
		gluonts==0.17.0 sockeye==2.3.24 keras-mxnet==2.2.4.3 gluonnlp==0.10.0 d2l==0.16.6 d2lzh==1.0.0 \
		autocfg==0.0.8 h5py==3.16.0 keras-applications==1.0.8 keras-preprocessing==1.1.2 portalocker==2.0.0 toolz==1.2.0 \
		sacrebleu==1.4.14 yacs==0.1.8
	$(BIN)/python -m pip --disable-pip-version-check install -q --no-deps --target data/packages-gluoncv-0.7 gluoncv==0.7.0

fashion:  ## get Fashion-MNIST into data/fashion-mnist (by apt-get, dpkg: Debian and Ubuntu)
	mkdir -p data/package && cd data/package && apt-get download dataset-fashion-mnist
	dpkg -x data/package/dataset-fashion-mnist_*.deb data/package
	mv data/package/usr/share/datasets/fashion-mnist data/fashion-mnist
	rm -r data/package

differential: $(READY)  ## random programs here and on the original: ORACLE=<python with mxnet 1.9.1> N=10000 [KIND=executor] [SEED=0]
	@test -n "$(ORACLE)" || { echo 'Say which Python has the original: make differential ORACLE=/path/to/python' >&2; exit 2; }
	cd tests && $(abspath $(BIN))/python -m differential --original $(ORACLE) -n $(or $(N),1000) --seed $(or $(SEED),0) $(if $(RECORD),--record) $(foreach kind,$(KIND),--kind $(kind))

calls: $(READY)  ## single calls of every operator and function, here and on the original: ORACLE=<python with mxnet 1.9.1> N=20000 [SEED=0]
	@$(MAKE) --no-print-directory differential KIND="operator_call numpy_call" N=$(or $(N),20000)

figures: $(READY)  ## measure all figures of README and write them there: ORIGINAL=<python with mxnet 1.9.1>, on a quiet machine
	@test -n "$(ORIGINAL)" || { echo 'Say which Python has the original: make figures ORIGINAL=/path/to/python' >&2; exit 2; }
	$(BIN)/python benchmarks/figures.py --original $(ORIGINAL) $(ARGS)

stranger: $(READY)  ## a new environment with old packages in it, and a training run of each: PYTHON=python3.13 chooses one
	$(BIN)/python tests/integration/stranger.py --python $(PYTHON) $(ARGS)

# Atheris has wheels for some versions of Python only; without it the changes are made at random.
fuzz: $(READY)  ## look for hostile files that readers do not take as they should, guided by coverage: SECONDS=600 [ARGS="states rec"]
	$(BIN)/python -c 'import atheris' 2>/dev/null || $(PIP) atheris==3.0.0 || echo 'without Atheris: at random' >&2
	nice -n 10 $(BIN)/python tests/security/fuzz_guided.py --seconds $(or $(SECONDS),600) --found build/fuzz $(ARGS)

# Python and torch are not instrumented: leaks are not looked for, and the pool, which replaces functions of C, is off.
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined
SANITIZED := $(filter-out %accuracy.py %sweep.py tests/graph/% tests/symbol/%,$(KERNELS)) tests/ops/test_layer_norm.py tests/deploy/test_predict.py
sanitize: $(READY)  ## run the tests of the kernels in C and of the library for prediction with AddressSanitizer and UBSan
	rm -rf build/sanitize && mkdir -p build/sanitize
	git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t build/sanitize
	cd build/sanitize && CFLAGS="$(SANITIZE)" LDFLAGS="$(SANITIZE)" $(abspath $(BIN))/python setup.py -q build_ext --inplace
	cd build/sanitize && for capability in "" avx2 default; do LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
		ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0:use_sigaltstack=0:handle_segv=0:allocator_may_return_null=1 \
		UBSAN_OPTIONS=print_stacktrace=1 OMP_NUM_THREADS=2 MXNET_MEMORY_POOL=0 $${capability:+env ATEN_CPU_CAPABILITY=$$capability} \
		$(abspath $(BIN))/python -m pytest -q -p no:cacheprovider $(or $(ARGS),$(SANITIZED)) || exit 1; done

accuracy: $(READY)  ## compare kernels with float64 over COUNT=300 random cases for each kind and number of threads
	MXNET_TEST_ACCURACY=$(or $(COUNT),300) $(BIN)/python -m pytest -q tests/ops/test_accuracy.py $(ARGS)

soak: $(READY)  ## mix all kinds of work for MINUTES=120 and print what the process holds: memory, files, threads
	OMP_NUM_THREADS=1 $(BIN)/python tests/integration/soak.py --minutes $(or $(MINUTES),120)

matrix: $(READY) programs  ## run the tests beside an installed wheel for several versions of Python, torch and NumPy: ROWS="py313-newest" [ARGS="tests/ops"]
	$(BIN)/python -c 'import nox' 2>/dev/null || $(PIP) nox
	JOBS=$(JOBS) MATRIX_ROWS="$(ROWS)" $(BIN)/nox $(foreach row,$(ROWS),-s $(row)) $(if $(ARGS),-- $(ARGS))

scaling: $(READY)  ## time and memory against size, as a picture for the documentation: ORIGINAL=<python with mxnet 1.9.1>
	$(BIN)/python benchmarks/scaling.py $(if $(ORIGINAL),--original $(ORIGINAL),--draw)

bench: $(READY)  ## benchmarks; ORIGINAL=<python with mxnet 1.9.1> adds a column, ARGS=... chooses workloads
	$(BIN)/python benchmarks/run.py $(ARGS) $(if $(ORIGINAL),--original $(ORIGINAL))

golden:  ## record what the original does: make golden ORACLE=<python with mxnet 1.9.1> [ARGS="family ..."]
	@test -n "$(ORACLE)" || { echo 'Say which Python has the original: make golden ORACLE=/path/to/python' >&2; exit 2; }
	$(ORACLE) tests/golden/record.py $(ARGS)
	$(if $(ARGS),,for script in tests/*/record_*.py; do $(ORACLE) $$script || exit 1; done)

clean:  ## remove .venv and what tools left behind
	rm -rf $(VENV) build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
