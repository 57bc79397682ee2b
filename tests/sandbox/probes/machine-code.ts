/**
 * A command that runs a program of these bytes (x86-64, hexadecimal), for what no interpreter of the image can do. The
 * image has no compiler, so a header of 120 bytes is put before it: a static ELF file with one segment.
 */
export function runMachineCode(code: string): string {
  const header =
    'pack("a4C5x7S2LQ3LS6", "\\x7fELF", 2, 1, 1, 0, 0, 2, 62, 1, 0x400078, 64, 0, 0, 64, 56, 1, 64, 0, 0)' +
    ' . pack("L2Q6", 1, 5, 0, 0x400000, 0x400000, 4096, 4096, 4096)';
  return `perl -e 'print ${header} . pack("H*", "${code}") . "\\0" x 4096' > program && chmod 755 program && ./program`;
}
