import { processCalled } from '../../cluster/component-table.ts';
import type { Participant } from './diagram.ts';
import type { Message } from './message.ts';

/** The receiver of every request. A trace does not show which replica answered. */
export const APISERVER = 'apiserver';
/** The container runtime of a node. */
export const RUNTIME = 'containerd';
/** The network plugins of a node. */
export const PLUGINS = 'CNI plugins';
/** The programs in containers that kubelets probe. */
export const PROGRAM = 'containers';
/** The fault injector. */
export const NEMESIS = 'nemesis';

/** The processes of a node in the order of a pod's start. Others of the node follow. */
const ON_NODE: readonly string[] = ['kubelet', RUNTIME, PLUGINS, PROGRAM];

/** Returns the lifelines of these messages, so that neighbours in the story are neighbours in the picture. */
export function participantsOf(messages: readonly Message[]): readonly Participant[] {
  const nodes = new Map<string, Set<string>>();
  const users = new Set(messages.flatMap(({ from, isUser }) => (isUser ? [from] : [])));
  for (const { from, to, node } of messages) {
    for (const id of [from, to]) {
      const known = nodes.get(id) ?? new Set();
      nodes.set(id, known);
      if (node !== undefined && id !== APISERVER) known.add(node);
    }
  }
  return [...nodes]
    .map(([id, places]) => ({ id, nodes: [...places].sort() }))
    .sort((a, b) => rankOf(a.id, users) - rankOf(b.id, users));
}

/** Users, the apiserver, the controllers in order of appearance, the scheduler, the node, the nemesis. */
function rankOf(id: string, users: ReadonlySet<string>): number {
  if (users.has(id)) return 0;
  if (id === APISERVER) return 1;
  if (id === NEMESIS) return 9;
  const onNode = ON_NODE.indexOf(id);
  if (onNode >= 0) return 4 + onNode;
  const row = processCalled(id);
  if (row?.once === 'node') return 8;
  return row?.word === 'scheduler' ? 3 : 2;
}
