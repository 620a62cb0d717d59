#include <stdexcept>

#include "picture_file.h"

#ifdef SINEW_VIDEO

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
}

namespace sinew {
namespace {

std::string Text(int code) {
  char buffer[AV_ERROR_MAX_STRING_SIZE] = "";
  av_strerror(code, buffer, sizeof(buffer));
  return buffer;
}

void Check(int code, const std::string& what) {
  if (code < 0) throw std::runtime_error(what + ": " + Text(code));
}

template <class T>
T* Made(T* pointer, const std::string& what) {
  if (!pointer) throw std::runtime_error("no memory for " + what);
  return pointer;
}

}  // namespace

// Colours in halves of the width and height, as players expect: an odd column or row is left out.
struct VideoWriter::Encoder {
  std::string path;
  int width, height, rate;
  AVFormatContext* format = nullptr;
  AVCodecContext* codec = nullptr;
  AVStream* stream = nullptr;
  AVFrame* frame = nullptr;
  AVPacket* packet = nullptr;
  SwsContext* scaler = nullptr;
  int64_t count = 0;

  Encoder(const std::string& file, int w, int h, int per_second) : path(file), width(w), height(h), rate(per_second) {}
  ~Encoder() {
    sws_freeContext(scaler);
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&codec);
    if (format && format->pb) avio_closep(&format->pb);
    avformat_free_context(format);
  }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  void Open() {
    Check(avformat_alloc_output_context2(&format, nullptr, nullptr, path.c_str()),
          "cannot tell the format of " + path + "; end its name with .mp4 or .mkv");
    const AVCodec* found = avcodec_find_encoder(AV_CODEC_ID_H264);
    if (!found) found = avcodec_find_encoder(AV_CODEC_ID_MPEG4);
    if (!found) throw std::runtime_error("libavcodec has no encoder for H.264 or MPEG-4; install another build of it");
    codec = Made(avcodec_alloc_context3(found), "the encoder");
    codec->width = width & ~1;
    codec->height = height & ~1;
    codec->time_base = {1, rate};
    codec->framerate = {rate, 1};
    codec->pix_fmt = AV_PIX_FMT_YUV420P;
    codec->bit_rate = 8LL * width * height;
    if (format->oformat->flags & AVFMT_GLOBALHEADER) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    if (codec->priv_data) av_opt_set(codec->priv_data, "preset", "veryfast", 0);
    Check(avcodec_open2(codec, found, nullptr), "cannot encode " + path);
    stream = Made(avformat_new_stream(format, nullptr), "the stream");
    Check(avcodec_parameters_from_context(stream->codecpar, codec), "cannot encode " + path);
    stream->time_base = codec->time_base;
    Check(avio_open(&format->pb, path.c_str(), AVIO_FLAG_WRITE), "cannot write " + path);
    Check(avformat_write_header(format, nullptr), "cannot write " + path);
    frame = Made(av_frame_alloc(), "a picture");
    frame->format = codec->pix_fmt;
    frame->width = codec->width;
    frame->height = codec->height;
    Check(av_frame_get_buffer(frame, 0), "no memory for a picture");
    packet = Made(av_packet_alloc(), "a packet");
    scaler = Made(sws_getContext(codec->width, codec->height, AV_PIX_FMT_RGB24, codec->width, codec->height,
                                 codec->pix_fmt, SWS_BILINEAR, nullptr, nullptr, nullptr),
                  "the conversion of colours");
  }

  // A null frame asks for what is held back.
  void Encode(const AVFrame* given) {
    Check(avcodec_send_frame(codec, given), "cannot encode " + path);
    for (;;) {
      const int code = avcodec_receive_packet(codec, packet);
      if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return;
      Check(code, "cannot encode " + path);
      av_packet_rescale_ts(packet, codec->time_base, stream->time_base);
      packet->stream_index = stream->index;
      Check(av_interleaved_write_frame(format, packet), "cannot write " + path);
    }
  }
};

VideoWriter::VideoWriter(const std::string& path, int width, int height, int pictures_per_second)
    : encoder_(std::make_unique<Encoder>(path, width, height, pictures_per_second)) {
  av_log_set_level(AV_LOG_ERROR);
  if (width < 2 || height < 2) throw std::runtime_error("a video needs at least 2 x 2 pixels");
  encoder_->Open();
}
VideoWriter::~VideoWriter() = default;

void VideoWriter::Add(std::span<const uint8_t> rgb) {
  Encoder& e = *encoder_;
  Check(av_frame_make_writable(e.frame), "no memory for a picture");
  const uint8_t* const rows[1] = {rgb.data()};
  const int strides[1] = {3 * e.width};
  sws_scale(e.scaler, rows, strides, 0, e.codec->height, e.frame->data, e.frame->linesize);
  e.frame->pts = e.count++;
  e.Encode(e.frame);
}

void VideoWriter::Finish() {
  encoder_->Encode(nullptr);
  Check(av_write_trailer(encoder_->format), "cannot write " + encoder_->path);
  // Closing writes what is still held back.
  avio_flush(encoder_->format->pb);
  Check(encoder_->format->pb->error, "cannot write " + encoder_->path);
  Check(avio_closep(&encoder_->format->pb), "cannot write " + encoder_->path);
}

}  // namespace sinew

#else

namespace sinew {

struct VideoWriter::Encoder {};

VideoWriter::VideoWriter(const std::string& path, int, int, int) {
  throw std::runtime_error("cannot write " + path +
                           ": this program was built without video; install libavcodec-dev, libavformat-dev and "
                           "libswscale-dev, and build it again");
}
VideoWriter::~VideoWriter() = default;
void VideoWriter::Add(std::span<const uint8_t>) {}
void VideoWriter::Finish() {}

}  // namespace sinew

#endif
