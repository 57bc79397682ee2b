// The numbers of protocol.md.
#ifndef PROTOCOL_H
#define PROTOCOL_H

enum {
  PROTOCOL_VERSION = 1,
  HEADER_BYTES = 9,
  BODY_MOST = 256 * 1024,
  STDIN_WINDOW = 64 * 1024,
  OUTPUT_PIECE = 32 * 1024,
  PING_MOST = 8,
};

enum frame_in { IN_RUN = 1, IN_STDIN, IN_STDIN_END, IN_KILL, IN_PING };

enum frame_out {
  OUT_HELLO = 129,
  OUT_STARTED,
  OUT_STDOUT,
  OUT_STDERR,
  OUT_STDIN_TAKEN,
  OUT_EXIT,
  OUT_REFUSED,
  OUT_PONG,
};

enum run_flag { RUN_STDIN = 1, RUN_FRESH = 2 };

enum exit_flag { EXIT_TIMED_OUT = 1, EXIT_TRUNCATED = 2, EXIT_KILLED = 4, EXIT_MEMORY_KNOWN = 8 };

enum refusal { REFUSED_BUSY = 1, REFUSED_FOLDER, REFUSED_PROGRAM, REFUSED_RESOURCES, REFUSED_FRESH };

// Exit codes of the runner itself.
enum { GATEWAY_GONE = 0, VIOLATION = 64, SETUP_FAILED = 71 };

#endif
