/** The gateway's proxy as a container that may reach hosts sees it: its socket, and the port for its programs. */
export const egressPlace = {
  /** Inside of the container; the grant's folder is mounted there, read-only. */
  folder: "/run/kurisu-egress",
  socket: "proxy.sock",
  /** The port of the container's own loopback, where kurisu-relay listens. */
  port: 3128,
} as const;
