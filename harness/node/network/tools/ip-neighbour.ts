import { parseIP } from '../../../api/ip-prefix.ts';
import type { NetworkNamespace } from '../stack/namespace.ts';
import { type Neighbour, REACHABLE_MS } from '../stack/neighbours.ts';
import { linkCalled } from './ip-link.ts';
import type { Namespaces } from './namespaces.ts';
import { netlink, type Words } from './words.ts';

/** Shows, changes and deletes neighbour entries. */
export function ipNeighbour(
  command: string,
  words: Words,
  at: NetworkNamespace,
  { nowMs }: Namespaces,
): unknown {
  const isShown = command === 'show' || command === 'list' || command === 'flush';
  const ip = isShown || words.peek === 'dev' ? undefined : parseIP(words.after('to'));
  let dev = undefined as ReturnType<typeof linkCalled> | undefined;
  let mac: string | undefined;
  let permanent = command === 'add' || command === 'replace';
  while (!words.atEnd) {
    const word = words.next() as string;
    if (word === 'dev') dev = linkCalled(at, words.after(word));
    else if (word === 'lladdr') mac = words.after(word);
    else if (word === 'nud') permanent = words.after(word) === 'permanent';
  }
  const { neighbours } = at;
  if (isShown) {
    const chosen = (each: Neighbour): boolean => !dev || each.link === dev;
    if (command === 'flush') return neighbours.removeWhere((each) => chosen(each) && !each.permanent);
    return neighbours.all.filter(chosen).map((each) => describe(each, nowMs()));
  }
  if (!dev || !ip) throw netlink('Invalid argument');
  if (command === 'del' || command === 'delete') {
    if (!neighbours.remove(dev, ip)) throw netlink('No such file or directory');
    return undefined;
  }
  if (mac === undefined) throw netlink('Invalid argument');
  if (command === 'add' && neighbours.find(dev, ip)) throw netlink('File exists');
  return neighbours.set({ ip, link: dev, mac, confirmedMs: nowMs(), permanent });
}

function describe({ ip, link, mac, confirmedMs, permanent }: Neighbour, nowMs: number): unknown {
  const state = permanent ? 'PERMANENT' : nowMs - confirmedMs < REACHABLE_MS ? 'REACHABLE' : 'STALE';
  return { dst: ip.text, dev: link.name, lladdr: mac, state: [state] };
}
