"""Operators that ``mx.np`` and ``mx.npx`` have in common with classic MXNet: second names of those."""

from ..registry import also_known_as

_NAMES = """
Activation _npx_activation | BatchNorm _npx_batch_norm | Cast _npi_cast _npx_cast | Convolution _npx_convolution
Custom _npi_Custom | Deconvolution _npx_deconvolution | Dropout _npx_dropout | Embedding _npx_embedding
Flatten _npx_batch_flatten | FullyConnected _npx_fully_connected | LayerNorm _npx_layer_norm
LeakyReLU _npx_leaky_relu | Pooling _npx_pooling | RNN _npx_rnn | ROIPooling _npx_roi_pooling
SequenceMask _npx_sequence_mask | SwapAxis _npi_swapaxes | _contrib_MultiBoxDetection _npx_multibox_detection
_contrib_MultiBoxPrior _npx_multibox_prior | _contrib_MultiBoxTarget _npx_multibox_target
_contrib_arange_like _npx_arange_like | _contrib_boolean_mask _npi_boolean_mask | _cvimdecode _npi_cvimdecode
_cvimread _npi_cvimread | _cvimresize _npi_cvimresize | _full _npi_full | _histogram _npi_histogram
_hypot_scalar _npi_hypot_scalar | _linalg_inverse _npi_inv | _linspace _npi_linspace
_maximum_scalar _npi_maximum_scalar | _minimum_scalar _npi_minimum_scalar | _random_randint _npi_random_randint
_rnn_param_concat _npi_rnn_param_concat | _scatter_set_nd _npi_scatter_set_nd | _shuffle _npi_shuffle
_slice_assign _npi_slice_assign | _slice_assign_scalar _npi_slice_assign_scalar | _split_v2 _npi_split
argsort _npi_argsort | batch_dot _npx_batch_dot | broadcast_maximum _npi_maximum | broadcast_minimum _npi_minimum
clip _npi_clip | erf _npx_erf | erfinv _npx_erfinv | expand_dims _npi_expand_dims | gamma _npx_gamma
gammaln _npx_gammaln | gather_nd _npi_gather_nd _npx_gather_nd | log_softmax _npx_log_softmax | one_hot _npx_one_hot
pick _npx_pick | repeat _np_repeat | reshape_like _npx_reshape_like | shape_array _npx_shape_array
slice _npi_slice _npx_slice | smooth_l1 _npx_smooth_l1 | softmax _npx_softmax | sort _npi_sort | take _npi_take
tile _npi_tile | topk _npx_topk
_image_adjust_lighting | _image_crop | _image_flip_left_right | _image_flip_top_bottom | _image_normalize
_image_random_brightness | _image_random_color_jitter | _image_random_contrast | _image_random_flip_left_right
_image_random_flip_top_bottom | _image_random_hue | _image_random_lighting | _image_random_saturation | _image_resize
_image_to_tensor
"""

for _line in _NAMES.replace("\n", "|").split("|"):
    if _line.strip():
        _name, *_more = _line.split()
        also_known_as(_name, _more or [f"_npx_{_name}"])
