"""Frames, and the sound between them, as a camera encoded them: what a recording can keep without encoding anew."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Final

import av
import numpy as np
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.packet import Packet
from av.stream import Stream
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from vision.geometry import Image

SECOND: Final = 1_000_000_000
# What browsers play in an MP4 file.
PICTURES, SOUNDS = "h264", "aac"


@dataclass(frozen=True)
class Sound:
    """A piece of sound that began so long before the frame it came with, in nanoseconds."""

    data: bytes
    before_ns: int


@dataclass(frozen=True)
class Coded:
    """One frame. `number` counts what came, so that a gap is seen; `key` is one that can be decoded by itself.

    `format` is an MP4 file of these streams without a frame: all that a new file of them needs to know.
    """

    format: bytes
    number: int
    data: bytes
    key: bool
    sounds: tuple[Sound, ...] = ()


class CodedFilm:
    """Reads a film packet by packet: each picture with its time stamp, and as it was encoded where that can be kept."""

    def __init__(self, container: InputContainer, *, sound: bool = False) -> None:
        """Raises IndexError for a film without pictures."""
        self._container = container
        self._pictures: VideoStream = container.streams.video[0]
        aac = [one for one in container.streams.audio if one.codec_context.name == SOUNDS]
        self._sounds: AudioStream | None = aac[0] if sound and aac else None
        self._format: bytes | None = None
        self._heard: list[tuple[bytes, int]] = []
        self._number = 0

    def __iter__(self) -> Iterator[tuple[Image, int, Coded | None]]:
        streams = [one for one in (self._pictures, self._sounds) if one is not None]
        for packet in self._container.demux(streams):
            if packet.stream is self._sounds:
                if packet.pts is not None:
                    self._heard.append((bytes(packet), _stamp_ns(packet)))
                continue
            self._number += 1
            data = bytes(packet)  # before decoding: nobody promises that it is still there afterwards
            for frame in packet.decode():
                assert isinstance(frame, VideoFrame)
                image = np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
                yield image, _stamp_ns(frame), self._coded(packet, frame, data)

    def _coded(self, packet: "Packet[Stream]", frame: VideoFrame, data: bytes) -> Coded | None:
        """None where the picture is not the one of this packet, as with pictures that refer to later ones."""
        heard, self._heard = self._heard, []
        if self._pictures.codec_context.name != PICTURES or not self._pictures.codec_context.extradata:
            return None
        if packet.pts is None or frame.pts != packet.pts or packet.dts not in (None, packet.pts):
            return None
        self._format = self._format or self._sample()
        at_ns = _stamp_ns(frame)
        sounds = tuple(Sound(sound, at_ns - then_ns) for sound, then_ns in heard)
        return Coded(self._format, self._number, data, packet.is_keyframe, sounds)

    def _sample(self) -> bytes:
        file = BytesIO()
        with av.open(file, "w", format="mp4", options={"movflags": "frag_keyframe+empty_moov"}) as sample:
            sample.add_stream_from_template(self._pictures)
            if self._sounds is not None:
                sample.add_stream_from_template(self._sounds)
            sample.start_encoding()
        return file.getvalue()


def _stamp_ns(of: "Packet[Stream] | VideoFrame") -> int:
    return 0 if of.pts is None or of.time_base is None else round(float(of.pts * of.time_base) * SECOND)
