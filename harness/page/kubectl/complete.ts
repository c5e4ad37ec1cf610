import type { KubeObject } from '../../api/objects.ts';
import { namespaces, nodes, pods, type Resource } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { commandNamed, commandNames } from './commands.ts';
import { IMPERSONATING } from './impersonation.ts';
import type { Kinds } from './kinds.ts';

/** The sources of completions. */
interface Known {
  readonly cluster: Pick<Cluster, 'storage'>;
  readonly kinds: Kinds;
}

/** The resource of the first argument of commands that take only names. */
const NAMES_OF: Readonly<Record<string, Resource>> = {
  logs: pods,
  exec: pods,
  cordon: nodes,
  uncordon: nodes,
  drain: nodes,
};

/**
 * Returns the words that can stand for the last word of a line, whole: commands, kinds, names, namespaces, flags. The
 * last word is empty after a space.
 */
export function completions(line: string, known: Known): readonly string[] {
  const words = line.split(/\s+/);
  const last = words.pop() ?? '';
  const own = words.filter((word) => word !== '');
  if (own[0] === 'kubectl' || own[0] === 'k') own.shift();
  const begun = (all: readonly string[]): readonly string[] => [
    ...new Set(all.filter((each) => each.startsWith(last) && each !== last)),
  ];
  const [first = '', second = ''] = own;
  const command = commandNamed(`${first} ${second}`) ?? commandNamed(first);
  if (!command) {
    if (own.length === 0) return begun([...commandNames.map((name) => name.split(' ')[0] as string), 'help']);
    return begun(
      commandNames.filter((name) => name.startsWith(`${first} `)).map((name) => name.split(' ')[1] as string),
    );
  }
  const before = own.at(-1) ?? '';
  if (before === '-n' || before === '--namespace') return begun(namesOf(namespaces, known, undefined));
  if (last.startsWith('-'))
    return begun(
      [...Object.keys(command.flags), 'namespace', ...Object.keys(IMPERSONATING)].map((flag) => `--${flag}`),
    );
  const args = own.slice(command.name.split(' ').length).filter((word) => !word.startsWith('-'));
  const namespace = namespaceIn(own);
  const [kind, name] = last.split('/');
  if (name !== undefined) {
    const resource = kindOf(kind ?? '', known);
    return resource ? begun(namesOf(resource, known, namespace).map((each) => `${kind}/${each}`)) : [];
  }
  const only = NAMES_OF[command.name];
  if (only) return begun(namesOf(only, known, namespace));
  if (args.length === 0 || (args.length === 1 && args[0] === namespace)) return begun(known.kinds.names);
  const resource = kindOf(args[0] as string, known);
  return resource ? begun(namesOf(resource, known, namespace)) : [];
}

function kindOf(name: string, { kinds }: Known): Resource | undefined {
  return kinds.names.includes(name) ? kinds.named(name) : undefined;
}

function namespaceIn(words: readonly string[]): string {
  const at = words.findIndex((word) => word === '-n' || word === '--namespace');
  return (at < 0 ? undefined : words[at + 1]) ?? 'default';
}

function namesOf(resource: Resource, { cluster }: Known, namespace: string | undefined): readonly string[] {
  const objects: readonly KubeObject[] = cluster.storage.list(
    resource,
    resource.namespaced ? { namespace } : {},
  );
  return objects.map(({ metadata }) => metadata.name);
}
