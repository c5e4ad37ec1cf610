import type { Program } from './program.ts';

/**
 * Runs a command with another root directory, or a shell: `chroot /host ls /var/log`.
 *
 * Differs: only a directory with the files of a machine has programs.
 */
export const chroot: Program = async (process) => {
  const [, root, ...command] = process.argv;
  if (root === undefined) {
    process.stderr('BusyBox v1.37.0 multi-call binary.\n\nUsage: chroot NEWROOT [PROG ARGS]\n');
    return 1;
  }
  const info = await process.files.stat(root).catch(() => undefined);
  if (info?.type !== 'directory') {
    const why = info ? 'Not a directory' : 'No such file or directory';
    process.stderr(`chroot: can't change root directory to '${root}': ${why}\n`);
    return 1;
  }
  const argv = command.length > 0 ? command : [process.env.SHELL ?? '/bin/sh', '-i'];
  const code = await process.chroot(root, argv);
  if (code !== undefined) return code;
  process.stderr(`chroot: can't execute '${argv[0]}': No such file or directory\n`);
  return 127;
};
