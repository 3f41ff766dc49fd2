#!/usr/bin/env python3
"""Prints the scalars of a TensorBoard event file: an independent reader for tests.

The messages are parsed by Google's protobuf from the published schema (tensorflow/core/util/event.proto,
tensorflow/core/framework/summary.proto), of which only the fields that scalars use are declared.
"""
import struct
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

FIELD = descriptor_pb2.FieldDescriptorProto


def schema():
    file = descriptor_pb2.FileDescriptorProto(name="event.proto", package="tensorflow", syntax="proto3")

    def message(name, fields):
        m = file.message_type.add(name=name)
        for field, number, kind, type_name, label in fields:
            m.field.add(name=field, number=number, type=kind, type_name=type_name, label=label)

    one, many = FIELD.LABEL_OPTIONAL, FIELD.LABEL_REPEATED
    message("Value", [("tag", 1, FIELD.TYPE_STRING, None, one), ("simple_value", 2, FIELD.TYPE_FLOAT, None, one)])
    message("Summary", [("value", 1, FIELD.TYPE_MESSAGE, ".tensorflow.Value", many)])
    message("Event", [("wall_time", 1, FIELD.TYPE_DOUBLE, None, one), ("step", 2, FIELD.TYPE_INT64, None, one),
                      ("file_version", 3, FIELD.TYPE_STRING, None, one),
                      ("summary", 5, FIELD.TYPE_MESSAGE, ".tensorflow.Summary", one)])
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    descriptor = pool.FindMessageTypeByName("tensorflow.Event")
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(pool).GetPrototype(descriptor)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def require_crc(data, stored):
    crc = crc32c(data)
    masked = ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
    if masked != stored:
        sys.exit(f"wrong checksum {stored:#x}, not {masked:#x}")


def main(path):
    event_class = schema()
    with open(path, "rb") as file:
        data = file.read()
    while data:
        require_crc(data[:8], *struct.unpack("<I", data[8:12]))
        length, = struct.unpack("<Q", data[:8])
        body, data = data[12:12 + length], data[12 + length:]
        require_crc(body, *struct.unpack("<I", data[:4]))
        data = data[4:]
        event = event_class.FromString(body)
        assert event.wall_time > 1e9
        if event.file_version:
            print("version", event.file_version)
        for value in event.summary.value:
            print(event.step, value.tag, value.simple_value)


main(sys.argv[1])
