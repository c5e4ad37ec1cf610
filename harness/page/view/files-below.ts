import type { DirectoryNode, Inode } from '../../node/files/disk.ts';

/** Returns the files in a folder of a disk, with their content as text, in the order of their paths. */
export function filesBelow(
  root: DirectoryNode,
  folder: string,
): readonly { readonly path: string; readonly text: string }[] {
  let node: Inode | undefined = root;
  for (const name of folder.split('/').filter(Boolean)) {
    node = node?.type === 'directory' ? node.entries.get(name) : undefined;
  }
  return node ? below(node, folder) : [];
}

function below(node: Inode, path: string): readonly { readonly path: string; readonly text: string }[] {
  if (node.type === 'file') return [{ path, text: new TextDecoder().decode(node.bytes) }];
  if (node.type === 'symlink') return [{ path, text: `→ ${node.target}` }];
  return [...node.entries]
    .sort(([a], [b]) => collator.compare(a, b))
    .flatMap(([name, entry]) => below(entry, `${path}/${name}`));
}

const collator = new Intl.Collator('en', { numeric: true });
