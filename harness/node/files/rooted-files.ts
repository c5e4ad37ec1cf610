import type { Process } from '../programs/program.ts';

type Files = Process['files'];

/**
 * Returns the files below a directory, as a process with another root directory sees them.
 *
 * Differs: an absolute symbolic link leads out of the directory.
 */
export function rootedFiles(files: Files, root: string): Files {
  const base = root.replace(/\/+$/, '');
  const at = (path: string): string => `${base}${path}`;
  return {
    readFile: (path) => files.readFile(at(path)),
    readBytes: (path) => files.readBytes(at(path)),
    writeFile: (path, content, options) => files.writeFile(at(path), content, options),
    readdir: (path) => files.readdir(at(path)),
    stat: (path) => files.stat(at(path)),
    lstat: (path) => files.lstat(at(path)),
    mkdirAll: (path, mode) => files.mkdirAll(at(path), mode),
    removeAll: (path) => files.removeAll(at(path)),
    symlink: (target, path) => files.symlink(target, at(path)),
    link: (existing, path) => files.link(at(existing), at(path)),
    readlink: (path) => files.readlink(at(path)),
  };
}
