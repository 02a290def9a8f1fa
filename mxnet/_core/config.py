"""The environment variables that the package reads: what each means, what it may be, and its default.

``config.NATIVE.get()`` reads one. Whatever else in the package looks at the environment is not a setting of ours. The
tables of the README and of the documentation are made of these (``docs/generate.py``), and ``mx.runtime.settings()``
shows what is set.
"""

from __future__ import annotations

import os

from ..error import MXNetValueError

TYPE_CHECKING = False  # as typing has it, without loading it
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

GENERAL, JOB, NO_EFFECT = "general", "job", "no effect"


class Variable:
    """A variable of the environment. It cannot be changed, and keeps no value: each ``get`` looks again."""

    name: str
    default: Any
    help: str
    #: The help in Chinese.
    zh: str
    group: str
    #: Is it one that reports must not show?
    secret: bool
    #: What it must be, for messages.
    expected = "text"

    def __init__(self, name: str, default: object, help: str, zh: str, group: str = GENERAL, secret: bool = False):
        vars(self).update(name=name, default=default, help=help, zh=zh, group=group, secret=secret)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"the description of {self.name} cannot be changed: {name}")

    def text(self, environ: Mapping[str, str] | None = None) -> str | None:
        """What the environment, or another mapping, has; None if it has nothing."""
        return (os.environ if environ is None else environ).get(self.name)

    def get(self, environ: Mapping[str, str] | None = None) -> Any:
        """The value; an error that says what was expected if it makes no sense."""
        return self.parse(self.text(environ))

    def parse(self, text: str | None) -> Any:
        """The value that a text stands for: the default if the variable is not set or empty."""
        if not text:
            return self.default
        value = self._value(text.strip())
        if value is None:
            raise MXNetValueError(f"{self.name} must be {self.expected}, got {text[:80]!r}")
        return value

    def _value(self, text: str) -> Any:
        """The value of a text, None if it has none."""
        return text


class Flag(Variable):
    """On or off."""

    expected = "1 or 0 (or true, false, on, off)"

    def get(self, environ: Mapping[str, str] | None = None) -> bool:
        """Is it on?"""
        return super().get(environ)

    def _value(self, text: str) -> bool | None:
        return {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}.get(text.lower())


class FlagOrWord(Flag):
    """On, off, or one word that means on and something more."""

    word: str

    def __init__(self, name: str, default: bool, help: str, zh: str, group: str = GENERAL, *, word: str):
        super().__init__(name, default, help, zh, group)
        vars(self).update(word=word, expected=f"{self.expected} or {word}")

    def is_word(self, environ: Mapping[str, str] | None = None) -> bool:
        """Is it the word?"""
        return (self.text(environ) or "").strip() == self.word

    def _value(self, text: str) -> bool | None:
        return True if text == self.word else super()._value(text)


class Count(Variable):
    """A whole number that is not less than ``low``."""

    low: int

    def __init__(self, name: str, default: int | None, help: str, zh: str, group: str = GENERAL, *, low: int = 0):
        super().__init__(name, default, help, zh, group)
        vars(self).update(low=low, expected=f"a whole number of at least {low}")

    def _value(self, text: str) -> int | None:
        return int(text) if text.isascii() and text.isdigit() and len(text) < 19 and int(text) >= self.low else None


class Seconds(Variable):
    """A time to wait."""

    expected = "a number of seconds greater than 0"

    def get(self, environ: Mapping[str, str] | None = None) -> float:
        """How many seconds."""
        return super().get(environ)

    def _value(self, text: str) -> float | None:
        try:
            return seconds if 0 < (seconds := float(text)) < 1e7 else None
        except ValueError:
            return None


class Text(Variable):
    """Any text, also an empty one."""

    def parse(self, text: str | None) -> str | None:
        """The text itself."""
        return self.default if text is None else text


class Choice(Variable):
    """One of several words."""

    choices: tuple[str, ...]

    def __init__(self, name: str, default: str, help: str, zh: str, group: str = GENERAL, *, choices: tuple[str, ...]):
        super().__init__(name, default, help, zh, group)
        vars(self).update(choices=choices, expected=f"one of {', '.join(choices)}")

    def get(self, environ: Mapping[str, str] | None = None) -> str:
        """The word."""
        return super().get(environ)

    def _value(self, text: str) -> str | None:
        return text if text in self.choices else None


# fmt: off
# ---- devices, files --------------------------------------------------------------------------------------------------

VIRTUAL_GPUS = Count(
    "MXNET_VIRTUAL_GPUS", 0,
    "so many devices on the CPU that behave as `mx.gpu(0)`, `mx.gpu(1)`, ..., where there is no CUDA",
    "没有 CUDA 时，提供若干个 CPU 上的设备，行为与 `mx.gpu(0)`、`mx.gpu(1)` 等相同",
)
HOME = Text(
    "MXNET_HOME", None,
    "where datasets and trained weights are kept; without it `~/.mxnet`",
    "数据集和预训练权重的目录；没有设置时为 `~/.mxnet`",
)
GLUON_REPO = Text("MXNET_GLUON_REPO", None, "the server that they are fetched from", "从哪个服务器下载它们")
DOWNLOAD_MAX_BYTES = Count(
    "MXNET_DOWNLOAD_MAX_BYTES", 1 << 35,
    "downloads of more bytes are refused", "字节更多的下载被拒绝", low=1,
)
IMAGE_MAX_PIXELS = Count(
    "MXNET_IMAGE_MAX_PIXELS", 1 << 26,
    "images of more pixels are refused before they are decoded",
    "像素更多的图像在解码之前被拒绝", low=1,
)
SAVE_SYNC = Flag(
    "MXNET_SAVE_SYNC", False,
    "1: each save waits until the disk has it, about 50 times longer for small files",
    "1：每次保存都等待写入磁盘，小文件约慢 50 倍",
)

# ---- how programs run ------------------------------------------------------------------------------------------------

BACKWARD_DO_MIRROR = Flag(
    "MXNET_BACKWARD_DO_MIRROR", False,
    "1: less memory for more time, cheap results are computed again for the gradient",
    "1：用时间换内存，容易计算的结果在求梯度时重新计算",
)
SUBGRAPH_BACKEND = Text(
    "MXNET_SUBGRAPH_BACKEND", "",
    "`NONE`: programs run as they were built, nothing is fused",
    "`NONE`：程序按原样运行，不做融合",
)
ELIMINATE_COMMON_EXPR = Flag(
    "MXNET_ELIMINATE_COMMON_EXPR", True, "0: what a graph has twice is computed twice", "0：计算图中重复的部分重复计算"
)
NATIVE = Flag(
    "MXNET_NATIVE", True,
    "0: the kernels in C that `pip install` built are not used (without a C compiler there are none): torch's are",
    "0：不使用 `pip install` 编译的 C 内核（没有 C 编译器时本来就没有），改用 torch 的",
)
MEMORY_POOL = Flag(
    "MXNET_MEMORY_POOL", True,
    "0: the memory of large arrays comes from the C library, which leaves holes, instead of the pool in `mxnet/native` "
    "(Linux)",
    "0：大数组的内存由 C 库分配（会留下空洞），而不是由 `mxnet/native` 的内存池分配（Linux）",
)
OPENMP = Flag(
    "MXNET_OPENMP", True,
    "0: threads wait for work as torch lets them, spinning for milliseconds, and CPU limits of containers are not "
    "looked at",
    "0：线程按 torch 的默认方式等待（空转数毫秒），也不考虑容器的 CPU 限额",
)
WINOGRAD = Flag(
    "MXNET_WINOGRAD", True,
    "0: no 3x3 convolution is computed by Winograd's way, which rounds differently (3e-6)",
    "0：3x3 卷积不使用 Winograd 算法，它的舍入略有不同（3e-6）",
)
RANDOM = Choice(
    "MXNET_RANDOM", "mxnet",
    "`torch`: random numbers of the host are torch's instead of the original's",
    "`torch`：主机上的随机数用 torch 的，而不是原版的", choices=("mxnet", "torch"),
)
ENFORCE_DETERMINISM = Flag(
    "MXNET_ENFORCE_DETERMINISM", False,
    "1: only algorithms of torch that always give the same result; what has none is an error",
    "1：只用 torch 中结果总是相同的算法；没有这种算法的操作会报错",
)
CUDNN_AUTOTUNE_DEFAULT = Count(
    "MXNET_CUDNN_AUTOTUNE_DEFAULT", 0,
    "1 or 2: cuDNN measures which algorithm is the fastest for each new shape",
    "1 或 2：cuDNN 对每种新形状测量哪个算法最快",
)
UPDATE_ON_KVSTORE = Flag(
    "MXNET_UPDATE_ON_KVSTORE", True,
    "0: devices update their weights themselves, instead of the kvstore",
    "0：由各设备自己更新权重，而不是由 kvstore 更新",
)
OPTIMIZER_AGGREGATION_SIZE = Count(
    "MXNET_OPTIMIZER_AGGREGATION_SIZE", None,
    "what `aggregate_num` of an optimizer says; without it 4, or what the optimizer has",
    "优化器的 `aggregate_num`；没有设置时为 4，或由优化器决定",
)

# ---- diagnostics -----------------------------------------------------------------------------------------------------

STORAGE_FALLBACK_LOG_VERBOSE = Flag(
    "MXNET_STORAGE_FALLBACK_LOG_VERBOSE", True,
    "0: no warning when an operator makes sparse arrays dense, since it has no code for them",
    "0：运算符没有稀疏实现而使用稠密数组时，不发出警告",
)
AUTOGRAD_SYMBOL = Flag(
    "MXNET_AUTOGRAD_SYMBOL", False,
    "1: recording keeps what `autograd.get_symbol` needs from the beginning",
    "1：记录时从一开始就保留 `autograd.get_symbol` 所需的内容",
)
CHECK = Flag(
    "MXNET_CHECK", False,
    "1: labels and indices out of range, the first NaN or infinity, arrays written to after they were recorded, "
    "batches unlike the one that a block was hybridized with: errors that name the operator and the layer, as with "
    "`mx.util.check(True)`",
    "1：越界的标签和下标、最先出现的 NaN 或无穷大、记录之后被改写的数组、与混合化时不同的批次都会报错，"
    "并指出运算符和层；与 `mx.util.check(True)` 相同",
)
FULL_TRACEBACK = Flag(
    "MXNET_FULL_TRACEBACK", False,
    "1: tracebacks of errors show the lines inside of this package as well",
    "1：错误的回溯信息也显示本软件包内部的代码行",
)
PROFILER_AUTOSTART = Flag(
    "MXNET_PROFILER_AUTOSTART", False,
    "1: `import mxnet` starts the profiler; `profile.json` is written at the end",
    "1：`import mxnet` 时启动性能分析，结束时写出 `profile.json`",
)

# ---- around the package ----------------------------------------------------------------------------------------------

COMPAT = FlagOrWord(
    "MXNET_COMPAT", True,
    "0: old packages are imported as they were published, without being patched; `script`: the modules below the "
    "folder of your own program find removed names as well (`np.int`, `collections.Mapping`, `time.clock`, ...)",
    "0：旧软件包按发布时的样子导入，不做修补；`script`：你自己程序所在目录下的模块也能使用已被移除的名字"
    "（`np.int`、`collections.Mapping`、`time.clock` 等）",
    word="script",
)
PYTHON = Text(  # read by mxnet/predict/c_predict_api.c
    "MXNET_PYTHON", None,
    "the interpreter that programs in C start to predict, if it is not the one the package was built by",
    "C 程序预测时启动的 Python 解释器，如果不是编译时所用的那个",
)
OMP_NUM_THREADS = Text(
    "OMP_NUM_THREADS", None,
    "how many threads operators compute with (OpenMP's own); without it one for each core",
    "运算符使用的线程数（OpenMP 的变量）；没有设置时每个核心一个",
)
OMP_WAIT_POLICY = Text(
    "OMP_WAIT_POLICY", None,
    "`PASSIVE`, for a machine that other processes keep busy: idle threads sleep instead of spinning (OpenMP's own)",
    "`PASSIVE`，用于还有其他进程忙碌的机器：空闲的线程睡眠而不是循环等待（OpenMP 的变量）",
)

# ---- distributed jobs: MXNet's own variables, and torchrun's --------------------------------------------------------

DMLC_ROLE = Choice(
    "DMLC_ROLE", "worker",
    "what this process is: `scheduler`, `server` or `worker`",
    "本进程的角色：`scheduler`、`server` 或 `worker`", JOB, choices=("scheduler", "server", "worker"),
)
DMLC_PS_ROOT_URI = Text("DMLC_PS_ROOT_URI", None, "the host of the scheduler", "调度进程所在的主机", JOB)
DMLC_PS_ROOT_PORT = Count("DMLC_PS_ROOT_PORT", None, "the port of the scheduler", "调度进程的端口", JOB, low=1)
DMLC_NUM_WORKER = Count("DMLC_NUM_WORKER", None, "how many workers there are", "工作进程的数量", JOB, low=1)
DMLC_NUM_SERVER = Count("DMLC_NUM_SERVER", 0, "how many servers there are", "服务器的数量", JOB)
DMLC_WORKER_ID = Text(
    "DMLC_WORKER_ID", None,
    "the rank that a worker would like to have; else they are numbered as they come",
    "工作进程希望得到的编号；否则按到达的顺序编号", JOB,
)
DMLC_TASK_ID = Text("DMLC_TASK_ID", None, "the same, as other launchers call it", "同上，其他启动器所用的名字", JOB)
DMLC_NODE_HOST = Text(
    "DMLC_NODE_HOST", None, "the address by which others reach this host", "其他进程访问本机的地址", JOB
)
DMLC_INTERFACE = Text(
    "DMLC_INTERFACE", None, "the network interface by which they do", "其他进程访问本机的网络接口", JOB
)
GLOO_SOCKET_IFNAME = Text("GLOO_SOCKET_IFNAME", None, "the same, gloo's own", "同上，gloo 的变量", JOB)
KVSTORE_TOKEN = Text(
    "MXNET_KVSTORE_TOKEN", None,
    "a secret of the job, long and random; `mxnet.tools.launch` makes one. Processes with another one cannot join",
    "任务的密钥，应当是长的随机串；`mxnet.tools.launch` 会生成一个。密钥不同的进程不能加入", JOB, secret=True,
)
DMLC_JOB_TOKEN = Text("DMLC_JOB_TOKEN", "", "the same, an older name", "同上，较早的名字", JOB, secret=True)
KVSTORE_TIMEOUT = Seconds(
    "MXNET_KVSTORE_TIMEOUT", 60.0, "how many seconds to wait for another process", "等待另一个进程多少秒", JOB
)
KVSTORE_SHARED_MEMORY = Flag(
    "MXNET_KVSTORE_SHARED_MEMORY", True,
    "0: workers on one host do not sum in memory that they share",
    "0：同一台主机上的工作进程不在共享内存中求和", JOB,
)
KVSTORE_BIGARRAY_BOUND = Count(
    "MXNET_KVSTORE_BIGARRAY_BOUND", 1000000,
    "arrays of more elements are split among workers or servers",
    "元素更多的数组被切分到各进程", JOB, low=1,
)
RANK = Count("RANK", None, "the rank of this worker, by torchrun", "本工作进程的编号，由 torchrun 设置", JOB)
WORLD_SIZE = Count(
    "WORLD_SIZE", None, "how many workers there are, by torchrun", "工作进程的数量，由 torchrun 设置", JOB, low=1
)
MASTER_ADDR = Text(
    "MASTER_ADDR", None, "the host of the first worker, by torchrun", "第一个工作进程所在的主机，由 torchrun 设置", JOB
)
MASTER_PORT = Count("MASTER_PORT", None, "its port, by torchrun", "它的端口，由 torchrun 设置", JOB, low=1)
TORCHELASTIC_USE_AGENT_STORE = Flag(
    "TORCHELASTIC_USE_AGENT_STORE", False, "does torchrun hold the job's store?", "任务的存储是否由 torchrun 提供", JOB
)
TORCHELASTIC_RUN_ID = Text("TORCHELASTIC_RUN_ID", "", "the job, by torchrun", "任务，由 torchrun 设置", JOB)
TORCHELASTIC_RESTART_COUNT = Text(
    "TORCHELASTIC_RESTART_COUNT", "0", "how often torchrun has started it again", "torchrun 重新启动它的次数", JOB
)
# fmt: on

# ---- variables of MXNet that change nothing here: their names, why, and the same in Chinese -------------------------

_IGNORED = (
    (
        "MXNET_ENGINE_TYPE MXNET_EXEC_BULK_EXEC_INFERENCE MXNET_EXEC_BULK_EXEC_TRAIN "
        "MXNET_EXEC_BULK_EXEC_MAX_NODE_TRAIN MXNET_EXEC_BULK_EXEC_MAX_NODE_TRAIN_FWD "
        "MXNET_EXEC_BULK_EXEC_MAX_NODE_TRAIN_BWD",
        "operators run when they are called, or as torch queues them on a GPU: there is no engine to choose, and every "
        "error is raised at its call",
        "运算符在调用时执行，在 GPU 上按 torch 的队列执行：没有可选的引擎，错误都在调用处抛出",
    ),
    (
        "MXNET_CPU_WORKER_NTHREADS MXNET_CPU_PRIORITY_NTHREADS MXNET_CPU_NNPACK_NTHREADS MXNET_GPU_WORKER_NTHREADS "
        "MXNET_GPU_WORKER_NSTREAMS MXNET_GPU_COPY_NTHREADS MXNET_CPU_PARALLEL_SIZE MXNET_KVSTORE_REDUCTION_NTHREADS",
        "an operator runs in the thread that calls it, with as many threads as `OMP_NUM_THREADS` or "
        "`torch.set_num_threads` say",
        "运算符在调用它的线程中执行，使用的线程数由 `OMP_NUM_THREADS` 或 `torch.set_num_threads` 决定",
    ),
    (
        "MXNET_MP_WORKER_NTHREADS MXNET_MP_OPENCV_NUM_THREADS",
        "a worker of `DataLoader` computes with one thread: threads do not survive a fork",
        "`DataLoader` 的工作进程用一个线程计算：线程不能随 fork 延续",
    ),
    (
        "MXNET_SAFE_ACCUMULATION",
        "sums of float16 numbers are always made in float32, as with 1",
        "float16 的求和总是用 float32 进行，相当于设为 1",
    ),
    (
        "MXNET_EXEC_ENABLE_INPLACE MXNET_EXEC_NUM_TEMP MXNET_EXEC_INPLACE_GRAD_SUM_CAP NNVM_EXEC_MATCH_RANGE "
        "MXNET_CPU_TEMP_COPY MXNET_GPU_TEMP_COPY",
        "where values are overwritten or dropped follows from the graph alone",
        "在何处覆盖或释放内存只由计算图决定",
    ),
    (
        "MXNET_GPU_MEM_POOL_RESERVE MXNET_GPU_MEM_POOL_TYPE MXNET_GPU_MEM_POOL_PAGE_SIZE "
        "MXNET_GPU_MEM_LARGE_ALLOC_ROUND_SIZE MXNET_GPU_MEM_POOL_ROUND_LINEAR_CUTOFF",
        "GPU memory is torch's: `PYTORCH_CUDA_ALLOC_CONF`",
        "GPU 内存由 torch 管理：`PYTORCH_CUDA_ALLOC_CONF`",
    ),
    (
        "MXNET_USE_FUSION",
        "elementwise operators on a GPU run one by one; `hybridize(backend='inductor')` fuses them, on the CPU as well",
        "GPU 上的逐元素运算符逐个执行；`hybridize(backend='inductor')` 会融合它们，在 CPU 上也可以",
    ),
    (
        "MXNET_CUDA_ALLOW_TENSOR_CORE MXNET_CUDA_TENSOR_OP_MATH_ALLOW_CONVERSION MXNET_FC_TRUE_FP16 "
        "MXNET_GPU_CUDNN_DROPOUT_STATE_COPY",
        "what CUDA may use is set by `torch.backends.cuda` and `torch.backends.cudnn`",
        "CUDA 可以使用什么，由 `torch.backends.cuda` 和 `torch.backends.cudnn` 设置",
    ),
    (
        "MXNET_MKLDNN_ENABLED MXNET_MKLDNN_CACHE_NUM MXNET_USE_MKLDNN_RNN MXNET_USE_OPERATOR_TUNING "
        "MXNET_USE_NUM_CORES_OPERATOR_TUNING",
        "torch chooses where oneDNN and threads are used",
        "何处使用 oneDNN 和多线程由 torch 选择",
    ),
    (
        "MXNET_CPU_PARALLEL_RAND_COPY MXNET_GPU_PARALLEL_RAND_COPY",
        "random numbers are those that the original gives without it",
        "随机数与原版没有设置它时相同",
    ),
    (
        "MXNET_KVSTORE_USETREE MXNET_KVSTORE_TREE_ARRAY_BOUND MXNET_KVSTORE_TREE_BACKTRACK "
        "MXNET_KVSTORE_TREE_LINK_USAGE_PENALTY MXNET_KVSTORE_SLICE_THRESHOLD MXNET_ENABLE_GPU_P2P",
        "the order of sums is that of torch, gloo and NCCL",
        "求和的顺序由 torch、gloo 和 NCCL 决定",
    ),
    (
        "MXNET_PROFILER_MODE",
        "the profiler always records all operators",
        "性能分析总是记录所有运算符",
    ),
    (
        "MXNET_SUBGRAPH_VERBOSE MXNET_RTC_VERBOSE MXNET_KVSTORE_LOGTREE PS_VERBOSE "
        "MXNET_CUDA_LIB_CHECKING MXNET_CUDNN_LIB_CHECKING",
        "what it logs or checks is not part of this engine",
        "它所记录或检查的东西不属于这里的引擎",
    ),
    (
        "MXNET_LIBRARY_PATH",
        "there is no libmxnet.so",
        "这里没有 libmxnet.so",
    ),
)

#: All variables by name.
VARIABLES: dict[str, Variable] = {
    found.name: found for found in tuple(globals().values()) if isinstance(found, Variable)
} | {name: Text(name, None, help, zh, NO_EFFECT) for names, help, zh in _IGNORED for name in names.split()}
