"""Files of video that a browser plays, cut off anywhere without loss of more than a second.

Frames are encoded here, or written as their camera encoded them where it offers H.264: that costs next to nothing and
loses nothing.
"""

from collections.abc import Mapping
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Final, Protocol

import av
from av.audio.stream import AudioStream
from av.video.stream import VideoStream

from table_controller.port.footage import CLOCK_RATE
from vision.coded import Coded, Sound
from vision.geometry import Image

SECOND: Final = 1_000_000_000
CODECS: Final = ("libx264", "libopenh264")
# A fragment a second: what is on disk after a crash can be played up to the last whole one.
FRAGMENTED: Final = {
    "movflags": "frag_keyframe+empty_moov+default_base_moof",
    "frag_duration": "1000000",
    "flush_packets": "1",
}
ENCODER: Final = {"preset": "ultrafast", "tune": "zerolatency", "crf": "27"}


def playable_codec() -> str | None:
    """An encoder here whose video every browser plays; None where there is none: said before the first round."""
    return next((name for name in CODECS if name in av.codecs_available), None)


class Segment(Protocol):
    """One file being written; every frame carries its exact time."""

    path: Path
    start_ns: int
    last_ns: int
    frames: int

    def write(self, image: Image, at_ns: int, coded: Coded | None) -> None:
        """Raises OSError when it cannot be kept."""

    def goes_on_with(self, coded: Coded | None) -> bool:
        """Whether this frame can follow what is written."""

    def close(self) -> None:
        """Raises OSError; the file can be played up to its last fragment all the same."""


class _File:
    """What both kinds of segment share: the container, and the clock of its streams."""

    def __init__(self, path: Path, at_ns: int) -> None:
        self.path, self.start_ns, self.last_ns, self.frames = path, at_ns, at_ns, 0
        self._container = av.open(str(path), "w", format="mp4", options=dict(FRAGMENTED))

    def _steps(self, at_ns: int) -> int:
        return round((at_ns - self.start_ns) * CLOCK_RATE / SECOND)

    def _written(self, at_ns: int) -> None:
        self.frames, self.last_ns = self.frames + 1, at_ns


class EncodedSegment(_File):
    """Frames encoded here. It gives way as soon as its camera's own stream can be taken over."""

    def __init__(self, path: Path, at_ns: int, codec: str, rate: int) -> None:
        super().__init__(path, at_ns)
        self._codec, self._rate = codec, rate
        self._stream: VideoStream | None = None

    def write(self, image: Image, at_ns: int, _coded: Coded | None) -> None:
        """Raises OSError when it cannot be kept."""
        stream = self._stream or self._begin(image)
        frame = av.VideoFrame.from_ndarray(image, format="bgr24").reformat(format="yuv420p")
        frame.pts = self._steps(at_ns)
        frame.time_base = Fraction(1, CLOCK_RATE)
        self._container.mux(stream.encode(frame))
        self._written(at_ns)

    def goes_on_with(self, coded: Coded | None) -> bool:
        """Whether this frame is not one that a copied segment can begin with."""
        return coded is None or not coded.key

    def close(self) -> None:
        """Raises OSError; the file can be played up to its last fragment all the same."""
        try:
            if self._stream is not None:
                self._container.mux(self._stream.encode(None))
        finally:
            self._container.close()

    def _begin(self, image: Image) -> VideoStream:
        options: Mapping[str, str] = ENCODER if self._codec == "libx264" else {}
        stream = self._container.add_stream(self._codec, rate=self._rate, options=dict(options))
        assert isinstance(stream, VideoStream)
        stream.height, stream.width = image.shape[:2]
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, CLOCK_RATE)
        stream.codec_context.time_base = Fraction(1, CLOCK_RATE)
        stream.codec_context.gop_size = self._rate
        stream.codec_context.thread_count = 1
        self._stream = stream
        return stream


class CopiedSegment(_File):
    """Frames, and sound where it is wanted, as their camera encoded them; it begins with a key frame."""

    def __init__(self, path: Path, at_ns: int, first: Coded) -> None:
        super().__init__(path, at_ns)
        self._format, self._next = first.format, first.number
        with av.open(BytesIO(first.format)) as sample:
            self._pictures = self._container.add_stream_from_template(sample.streams.video[0])
            sounds = sample.streams.audio
            self._sounds = self._container.add_stream_from_template(sounds[0]) if sounds else None
        self._pictures.time_base = Fraction(1, CLOCK_RATE)
        self._heard = -1

    def write(self, _image: Image, at_ns: int, coded: Coded | None) -> None:
        """Raises OSError when it cannot be kept."""
        assert coded is not None
        for sound in coded.sounds:
            self._write_sound(sound, at_ns)
        self._mux(self._pictures, coded.data, self._steps(at_ns), key=coded.key)
        self._next = coded.number + 1
        self._written(at_ns)

    def goes_on_with(self, coded: Coded | None) -> bool:
        """Whether nothing was left out since the last one: what follows a gap cannot be decoded."""
        return coded is not None and coded.number == self._next and coded.format == self._format

    def close(self) -> None:
        """Raises OSError; the file can be played up to its last fragment all the same."""
        self._container.close()

    def _write_sound(self, sound: Sound, at_ns: int) -> None:
        """Sound of before the first frame, and what would run backwards, is left out."""
        at = self._steps(at_ns - sound.before_ns)
        if self._sounds is not None and at > self._heard:
            self._heard = at
            self._mux(self._sounds, sound.data, at, key=True)

    def _mux(self, stream: VideoStream | AudioStream, data: bytes, at: int, *, key: bool) -> None:
        packet = av.Packet(data)
        packet.stream, packet.time_base = stream, Fraction(1, CLOCK_RATE)
        packet.pts = packet.dts = at
        packet.is_keyframe = key
        self._container.mux(packet)
