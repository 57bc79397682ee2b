/** Where the engine of this test run listens: that of `DOCKER_HOST`, or the usual socket. */
export const engineSocket = (process.env["DOCKER_HOST"] ?? "unix:///var/run/docker.sock").replace(/^unix:\/\//, "");
