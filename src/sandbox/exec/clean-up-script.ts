/**
 * Run after every command, as the same user. One kill reaches every process of that user in the container, the script's
 * own and PID 1 excepted, and none can fork its way out of it; it is repeated until there is nobody left to be reached, since
 * the dying still hold their files. Then everything goes that is no process and outlives them. Exit 0 only if all of
 * it is gone; prints how many processes the kernel has killed for want of memory so far, where that can be told.
 */
export const cleanUpScript = `
for ((pass = 0; pass < 100; pass++)); do
  kill -9 -1 2>/dev/null || break
  sleep 0.05
done
((pass < 100)) || exit 2
find /tmp /dev/shm /dev/mqueue -mindepth 1 -delete 2>/dev/null
[ -z "$(find /tmp /dev/shm /dev/mqueue -mindepth 1 2>&1 | head -c 1)" ] || exit 3
is_used() {
  local list line
  for list in /proc/sysvipc/{msg,sem,shm}; do
    [ -r "$list" ] && { read -r line; read -r line; } <"$list" && return 0
  done
  return 1
}
if is_used; then ipcrm -a; fi 2>/dev/null
if is_used; then exit 4; fi
for list in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
  [ -r "$list" ] || continue
  while read -r name count; do [ "$name" = oom_kill ] && echo "$count"; done <"$list"
  break
done
exit 0
`;
