#include "viewer/pipe_link.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace sinew {

PipeLink::PipeLink() {
  std::signal(SIGPIPE, SIG_IGN);  // a program that has ended is seen where its pipe is written to
  fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
}

void PipeLink::Read() {
  unsigned char block[1 << 16];
  ssize_t count = 0;
  while ((count = read(STDIN_FILENO, block, sizeof(block))) > 0)
    received_.insert(received_.end(), block, block + count);
  if (count == 0 || (errno != EAGAIN && errno != EINTR)) closed_ = true;
}

void PipeLink::Send(const std::vector<double>& request) {
  std::vector<double> message = {static_cast<double>(request.size())};
  message.insert(message.end(), request.begin(), request.end());
  const auto* from = reinterpret_cast<const unsigned char*>(message.data());
  for (size_t left = message.size() * sizeof(double); left > 0;) {
    const ssize_t count = write(STDOUT_FILENO, from, left);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      closed_ = true;
      return;
    }
    from += count;
    left -= static_cast<size_t>(count);
  }
}

bool PipeLink::Exchange(const mjModel* m, mjData* d, const mjvPerturb& perturb, bool& paused) {
  Read();
  bool taken = false;
  double size = 0;
  if (received_.size() >= sizeof(double)) std::memcpy(&size, received_.data(), sizeof(double));
  const size_t bytes = (1 + static_cast<size_t>(size)) * sizeof(double);
  if (waiting_ && size > 0 && received_.size() >= bytes) {
    std::vector<double> reply(static_cast<size_t>(size));
    std::memcpy(reply.data(), received_.data() + sizeof(double), bytes - sizeof(double));
    received_.erase(received_.begin(), received_.begin() + static_cast<long>(bytes));
    taken = link_.Take(reply.data(), reply.size(), m, d, paused);
    waiting_ = false;
  }
  if (!waiting_ && !closed_) {
    Send(link_.Request(m, d, perturb, paused));
    waiting_ = true;
  }
  return taken;
}

}  // namespace sinew
