import type { Law } from '../../../testing/holds.ts';
import type { ClusterHistory } from '../history.ts';
import type { KataInCluster } from './kata.ts';

/** A kata whose own laws judge a whole cluster. */
interface Adaptation<H, N extends string> extends Pick<KataInCluster, 'kata' | 'observer' | 'inspect'> {
  /** All laws of the kata, by their names. */
  readonly of: Readonly<Record<N, Law<H>>>;
  /**
   * Returns the parts of a history that the laws of the kata read: one, or one for each machine. It is called once for
   * each history.
   */
  historiesOf(history: ClusterHistory): readonly H[];
  /** The laws that a whole cluster cannot show, and the reasons. */
  readonly leftOut: { readonly [name in N]?: string };
}

/** Returns the kata for a whole cluster: each of its laws that is not left out, applied to its parts of the history. */
export function inCluster<H, N extends string>({
  of,
  historiesOf,
  leftOut,
  ...kata
}: Adaptation<H, N>): KataInCluster {
  const prepared = new WeakMap<ClusterHistory, readonly H[]>();
  const parts = (history: ClusterHistory): readonly H[] => {
    const known = prepared.get(history) ?? historiesOf(history);
    prepared.set(history, known);
    return known;
  };
  const laws = (Object.entries(of) as [N, Law<H>][]).flatMap(([name, law]) =>
    leftOut[name] === undefined ? [[name, applied(law, parts)] as const] : [],
  );
  return {
    ...kata,
    laws: Object.fromEntries(laws),
    leftOut: leftOut as Readonly<Record<string, string>>,
  };
}

function applied<H>(law: Law<H>, parts: (history: ClusterHistory) => readonly H[]): Law<ClusterHistory> {
  const { situation } = law;
  const judge = (history: ClusterHistory) => parts(history).flatMap((part) => law(part));
  if (!situation) return judge;
  const { name } = situation;
  const isMet = (history: ClusterHistory) => parts(history).some((part) => situation.isMet(part));
  return Object.assign(judge, { situation: { name, isMet } });
}
