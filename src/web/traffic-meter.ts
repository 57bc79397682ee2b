/** How much one client of the forward proxy may use. */
export interface TrafficLimits {
  /** Both directions, all connections. */
  readonly bytes: number;
  /** Requests and tunnels in all, refused ones too. */
  readonly requests: number;
}

export interface TrafficMeter {
  /** Takes one request or tunnel; false once they or the bytes are used up. */
  begin(): boolean;
  /** Takes bytes; false once they are used up. */
  count(bytes: number): boolean;
  /** True as soon as the limit has refused or broken off something. */
  isExhausted(): boolean;
}

export function createTrafficMeter(limits: TrafficLimits): TrafficMeter {
  let [bytes, requests, isExhausted] = [0, 0, false];
  return {
    begin() {
      requests += 1;
      if (requests <= limits.requests && bytes < limits.bytes) return true;
      isExhausted = true;
      return false;
    },
    count(more) {
      bytes += more;
      if (bytes < limits.bytes) return true;
      isExhausted = true;
      return false;
    },
    isExhausted: () => isExhausted,
  };
}
