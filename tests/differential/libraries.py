"""Programs on what stands around networks: metrics, schedules, vocabularies, data sets, files of examples."""

from .generate import Generator

METRICS = (  # with the shapes that labels and predictions may have
    *(
        ("Accuracy()", "classes"),
        ("TopKAccuracy(2)", "classes"),
        ("PCC()", "classes"),
        ("Accuracy(name='a')", "classes"),
    ),
    *(("F1()", "two"), ("F1(average='micro')", "two"), ("MCC()", "two"), ("MCC(average='micro')", "two")),
    *(("CrossEntropy()", "classes"), ("CrossEntropy(eps=0.125)", "classes"), ("NegativeLogLikelihood()", "classes")),
    *(("Perplexity(None)", "classes"), ("Perplexity(1)", "classes"), ("Loss()", "classes")),
    *(("MAE()", "numbers"), ("MSE()", "numbers"), ("RMSE()", "numbers"), ("PearsonCorrelation()", "numbers")),
    *(("CompositeEvalMetric(['mae', 'mse'])", "numbers"), ("CompositeEvalMetric(['acc', 'ce'])", "classes")),
    ("CustomMetric(lambda label, pred: float(abs(label.sum() - pred.sum())))", "numbers"),
)
WORDS = ("a", "b", "b", "c", "D", "<unk>", "e.e", "zz")


def written(path, lines):
    """The step that writes lines to a file."""
    return f"open({path!r}, 'w').write({chr(10).join(lines)!r})"


class Libraries(Generator):
    """Each program has objects of several of these sorts, which it goes on using."""

    length = (5, 12)
    weights = {"metric": 2, "update": 4, "read": 2, "vocabulary": 2, "records": 0.7, "files": 1.5}

    def start(self):
        self.metrics, self.vocabularies, self.sets = [], [], []
        self.step_metric()

    def words(self, most):
        """A list of words."""
        return [self.pick(*WORDS) for _ in range(self.random.randint(0, most))]

    # ---- metrics ----------------------------------------------------------------------------------------------------

    def step_metric(self):
        name, (metric, shapes) = self.new("m"), self.pick(*METRICS)
        self.metrics.append((name, shapes))
        self.add(f"{name} = mx.metric.{metric}")

    def step_update(self):
        name, shapes = self.pick(*self.metrics)
        count = self.random.randint(1, 4)
        if shapes == "numbers":
            shape = self.pick(f"({count},)", f"({count}, 1)", f"({count}, 3)")
            label, pred = (f"nd.array({self.numbers(shape)})" for _ in range(2))
        else:
            classes = 2 if shapes == "two" else self.random.randint(2, 4)
            dtype = self.pick("", "", ", dtype='int32'")
            label = f"nd.array({[self.random.randrange(classes) for _ in range(count)]}{dtype})"
            pred = f"nd.softmax(nd.array({self.numbers((count, classes))}))"
        if self.chance(0.7):
            self.add(f"{name}.update([{label}], [{pred}])")
        else:
            self.add(f"{name}.update([{label}, {label}], [{pred}, {pred}])")

    def step_read(self):
        name = self.pick(*self.metrics)[0]
        self.add(f"{self.new('r')} = [{name}.get()[1], {name}.get_global()[1], {name}.num_inst * 1.0]")
        if self.chance(0.4):
            self.add(f"{name}.{self.pick('reset()', 'reset_local()')}")
        elif self.chance(0.2):
            self.add(f"{name} = pickle.loads(pickle.dumps({name}))" if "Custom" not in str(self.steps) else "pass")

    # ---- schedules --------------------------------------------------------------------------------------------------

    def step_schedule(self):
        warm = ""
        if self.chance(0.5):
            mode = self.pick("linear", "constant")
            warm = f", warmup_steps={self.random.randint(0, 4)}, warmup_begin_lr=0.0625, warmup_mode='{mode}'"
        steps = sorted(self.random.sample(range(1, 12), self.random.randint(1, 4)))
        made = self.pick(
            f"FactorScheduler({self.random.randint(1, 4)}, 0.5, {self.pick('1e-8', '0.25')}, base_lr=1.0{warm})",
            f"MultiFactorScheduler({steps}, 0.5, base_lr=1.0{warm})",
            f"PolyScheduler({self.random.randint(5, 12)}, base_lr=1.0, pwr={self.pick(1, 2)}, final_lr=0.125{warm})",
            f"CosineScheduler({self.random.randint(5, 12)}, base_lr=1.0, final_lr=0.125{warm})",
        )
        name = self.new("s")
        updates = sorted(self.random.randrange(16) for _ in range(8))
        self.add(f"{name} = mx.lr_scheduler.{made}")
        self.add(f"{self.new('lr')} = [{name}(i) for i in {updates}] + [{name}.base_lr]")

    # ---- words ------------------------------------------------------------------------------------------------------

    def step_vocabulary(self):
        options = [
            self.pick("", "", "most_freq_count=2", "most_freq_count=0"),
            self.pick("", "", "min_freq=2"),
            self.pick("", "", "unknown_token='<u>'"),
            self.pick("", "reserved_tokens=['<pad>']", "reserved_tokens=['a', 'b']", "reserved_tokens=['a', 'a']"),
        ]
        name = self.new("v")
        counter = f"collections.Counter({self.words(10)})"
        self.add(f"{name} = mx.contrib.text.vocab.Vocabulary({', '.join([counter, *filter(None, options)])})")
        self.add(f"{self.new('i')} = [len({name}), {name}.to_indices({self.words(4)}), letters({name}.idx_to_token)]")
        self.add(f"{self.new('t')} = letters({name}.to_tokens({[self.random.randrange(5) for _ in range(2)]}))")
        self.vocabularies.append(name)

    def step_count(self):
        text = "".join(self.pick("a", "b", "A", " ", "\\n", " ", ".", "|") for _ in range(self.random.randint(0, 20)))
        options = self.pick("", ", to_lower=True", ", token_delim='.'", ", ' ', '|'", ", '.', '|', True")
        self.add(f"{self.new('c')} = dict(mx.contrib.text.utils.count_tokens_from_str('{text}'{options}))")

    def step_embedding(self):
        name, delimiter = self.new("e"), self.pick(" ", "\t", ",")
        size = self.random.randint(2, 3)
        tokens = self.random.sample(sorted({*WORDS} - {"<unk>"}), self.random.randint(1, 4))
        lines = [delimiter.join([token, *(str(self.scalar()) for _ in range(size))]) for token in tokens]
        self.add(written("e.txt", lines))
        options = self.pick("", ", init_unknown_vec=nd.ones")
        if self.vocabularies and self.chance(0.5):
            options += f", vocabulary={self.pick(*self.vocabularies)}"
        self.add(f"{name} = mx.contrib.text.embedding.CustomEmbedding('e.txt', {delimiter!r}{options})")
        self.add(f"{self.new('x')} = [{name}.idx_to_vec, {name}.get_vecs_by_tokens({self.words(3) or ['a']})]")
        if self.chance(0.5):
            changed = self.pick(*tokens, "nobody")
            self.add(f"{name}.update_token_vectors('{changed}', nd.array({self.numbers((size,))}))")
            self.add(f"{self.new('x')} = {name}.idx_to_vec")

    # ---- data sets --------------------------------------------------------------------------------------------------

    def step_dataset(self):
        name, count = self.new("d"), self.random.randint(1, 8)
        self.sets.append(name)
        parts = self.pick("np.arange({0})", "np.arange({0}), nd.array(val(({0}, 2)))", "list(range({0})), np.ones({0})")
        self.add(f"{name} = gluon.data.ArrayDataset({parts.format(count)})")

    def step_derive(self):
        if not self.sets:
            return self.step_dataset()
        parts = self.random.randint(1, 4)
        derived = self.pick(
            *(f"shard({parts}, {self.random.randint(0, parts)})", f"take({self.random.randint(0, 9)})", "take(None)"),
            "filter(lambda x: float(np.sum(x if not isinstance(x, tuple) else x[0])) % 2 == 0)",
            *("transform_first(lambda x: x * 2)", "transform_first(lambda x: x + 1, lazy=False)"),
            *("transform(lambda *x: x[0])", f"sample(gluon.data.SequentialSampler({parts}))"),
        )
        name = self.new("d")
        self.add(f"{name} = {self.pick(*self.sets)}.{derived}")
        self.add(f"{self.new('n')} = [len({name}), [{name}[i] for i in range(len({name}))]]")
        self.sets.append(name)

    def step_load(self):
        batch, rest = self.random.randint(1, 4), self.pick("keep", "discard", "rollover")
        if not self.sets or self.chance(0.4):
            name = self.new("b")
            sampler = f"gluon.data.SequentialSampler({self.random.randint(1, 9)})"
            self.add(f"{name} = gluon.data.BatchSampler({sampler}, {batch}, '{rest}')")
        else:
            name = self.new("l")
            shuffled = self.pick("", "", ", shuffle=True")
            self.add(f"np.random.seed({self.random.randint(0, 9)})")
            self.add(f"{name} = gluon.data.DataLoader({self.pick(*self.sets)}, {batch}, last_batch='{rest}'{shuffled})")
        self.add(f"{self.new('n')} = [len({name}), list({name}), list({name})]")

    # ---- files ------------------------------------------------------------------------------------------------------

    def step_records(self):
        name, count = self.new("w"), self.random.randint(1, 4)
        self.add(f"{name} = mx.recordio.MXIndexedRecordIO('r.idx', 'r.rec', 'w')")
        for key in range(count):
            label = self.pick(self.scalar(), [self.scalar(), self.scalar()], f"np.array([{self.scalar()}, 2.0])")
            content = self.pick("b'abc'", "b''", "b'\\x0a\\x23\\xd7\\xce' * 3")
            packed = f"mx.recordio.pack(mx.recordio.IRHeader(0, {label}, {key}, 0), {content})"
            self.add(f"{name}.write_idx({key}, {packed})")
        self.add(f"{name}.close()")
        self.add(f"{name} = mx.recordio.MXIndexedRecordIO('r.idx', 'r.rec', 'r')")
        unpacked = f"mx.recordio.unpack({name}.read_idx({self.random.randint(0, count)}))"
        self.add(f"{self.new('u')} = [(h.label, h.id, list(s)) for h, s in [{unpacked}]]")

    def step_files(self):
        name, rows, width = self.new("it"), self.random.randint(1, 6), self.random.randint(2, 4)
        batch = self.random.randint(max(1, rows // 3), rows)  # the original overwrites the first of many batches
        if self.chance(0.5):
            lines = [",".join(str(self.scalar()) for _ in range(width)) for _ in range(rows)]
            made = f"CSVIter(data_csv='x', data_shape=({width},), batch_size={batch})"
        else:
            lines = [
                self.pick("0", "1", "2.5", "1:0.5")
                + "".join(f" {i}:{self.scalar()}" for i in range(width) if self.chance(0.5))
                for _ in range(rows)
            ]
            made = f"LibSVMIter(data_libsvm='x', data_shape=({width},), batch_size={batch})"
        self.add(written("x", lines))
        self.add(f"{name} = mx.io.{made}")
        self.add(f"{self.new('n')} = [(b.data[0].asnumpy(), b.label[0].asnumpy(), b.pad) for b in {name}]")
        self.add(f"{name}.reset()")
        self.add(f"{self.new('n')} = [(b.data[0].asnumpy(), b.label[0].asnumpy(), b.pad) for b in {name}]")
