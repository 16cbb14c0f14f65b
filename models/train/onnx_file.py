"""Writes the few parts of ONNX's protobuf format that the model's graph needs (onnx.proto3 of the ONNX project; its field
numbers are named beside each)."""

INT64, FLOAT, FLOAT16, UINT8 = 7, 1, 10, 2
Message = bytes


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field: int, value: int) -> Message:
    return _varint(field << 3) + _varint(value)


def data(field: int, value: bytes | str) -> Message:
    value = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _attribute(name: str, value: int | str) -> Message:
    """AttributeProto: name 1, i 3, s 4, type 20."""
    return data(1, name) + (data(4, value) + number(20, 3) if isinstance(value, str) else number(3, value) + number(20, 2))


def node(operator: str, inputs: list[str], outputs: list[str], **attributes: int | str) -> Message:
    """NodeProto: input 1, output 2, name 3, op_type 4, attribute 5."""
    parts = [data(1, name) for name in inputs] + [data(2, name) for name in outputs]
    parts += [data(3, f"{operator}_{outputs[0]}"), data(4, operator)]
    return b"".join(parts + [data(5, _attribute(name, value)) for name, value in attributes.items()])


def constant(name: str, kind: int, shape: list[int], raw: bytes) -> Message:
    """TensorProto: dims 1, data_type 2, name 8, raw_data 9."""
    return b"".join(number(1, d) for d in shape) + number(2, kind) + data(8, name) + data(9, raw)


def external(name: str, kind: int, shape: list[int], file: str, offset: int, length: int) -> Message:
    """TensorProto whose bytes lie in another file: external_data 13, data_location 14."""
    entries = {"location": file, "offset": str(offset), "length": str(length)}
    where = b"".join(data(13, data(1, key) + data(2, value)) for key, value in entries.items())
    return b"".join(number(1, d) for d in shape) + number(2, kind) + data(8, name) + where + number(14, 1)


def value(name: str, kind: int, shape: list[int | str]) -> Message:
    """ValueInfoProto; a dimension that is a word is free."""
    dimensions = b"".join(data(1, number(1, d) if isinstance(d, int) else data(2, d)) for d in shape)
    return data(1, name) + data(2, data(1, number(1, kind) + data(2, dimensions)))


def model(name: str, nodes: list[Message], constants: list[Message], inputs: list[Message], outputs: list[Message], opset: int) -> bytes:
    """ModelProto: ir_version 1, producer_name 2, graph 7, opset_import 8. GraphProto: node 1, name 2, initializer 5, input 11, output 12."""
    parts = [(1, nodes), (5, constants), (11, inputs), (12, outputs)]
    graph = data(2, name) + b"".join(data(field, item) for field, items in parts for item in items)
    return number(1, 8) + data(2, "lectern") + data(7, graph) + data(8, data(1, "") + number(2, opset))
