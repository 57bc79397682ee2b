/**
 * Shell, for a mount namespace of its own: crun knows cgroups of the first or the second version, not both, so the second one
 * is put out of its sight. Where the kernel names it all the same, crun makes a folder there: in a hierarchy of the first
 * version that controls nothing.
 */
export const hideSecondCgroups =
  "(cd /sys/fs/cgroup && umount unified && mount --bind systemd unified) 2>/dev/null || true";
