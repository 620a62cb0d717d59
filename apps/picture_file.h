// Files of pictures and videos.
#ifndef SINEW_APPS_PICTURE_FILE_H_
#define SINEW_APPS_PICTURE_FILE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sinew {

// Throws std::runtime_error unless a name ends in .png or .jpg (.jpeg).
void CheckPictureName(const std::string& path);

// Writes rows from top to bottom, three bytes a pixel, in the format that the name says; throws std::runtime_error when
// that fails.
void WritePicture(const std::string& path, int width, int height, std::span<const uint8_t> rgb);

// A video, one picture after the other. Throws std::runtime_error for what cannot be written, and where the program was
// built without the libraries of FFmpeg.
class VideoWriter {
 public:
  VideoWriter(const std::string& path, int width, int height, int pictures_per_second);
  ~VideoWriter();

  void Add(std::span<const uint8_t> rgb);
  // Writes what is still held back; without it, a video is not complete.
  void Finish();

 private:
  struct Encoder;
  std::unique_ptr<Encoder> encoder_;
};

}  // namespace sinew

#endif  // SINEW_APPS_PICTURE_FILE_H_
