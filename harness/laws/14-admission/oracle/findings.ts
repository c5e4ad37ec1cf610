import type { Violation } from '../../../testing/holds.ts';
import type { Phase, RequestRecord } from '../history.ts';

/** The laws. */
export type LawName =
  | 'noTrace'
  | 'dryRun'
  | 'namespaces'
  | 'completes'
  | 'keeps'
  | 'idempotent'
  | 'withinLimits'
  | 'oneDefault'
  | 'called'
  | 'inTurn'
  | 'reinvoked'
  | 'allAsked'
  | 'final'
  | 'reviews'
  | 'refusals'
  | 'policy'
  | 'onTime'
  | 'warns'
  | 'admits'
  | 'answers'
  | 'withinQuota'
  | 'counted'
  | 'charged'
  | 'podSecurity'
  | 'nodes';

/** What a history says about each law. */
export interface Reading {
  readonly violations: ReadonlyMap<LawName, readonly Violation[]>;
  /** The laws whose situation the history reached. */
  readonly met: ReadonlySet<LawName>;
}

/** Collects what an oracle finds. */
export class Findings implements Reading {
  readonly violations = new Map<LawName, Violation[]>();
  readonly met = new Set<LawName>();

  meet(...laws: readonly LawName[]): void {
    for (const law of laws) this.met.add(law);
  }

  report(law: LawName, atMs: number, message: string): void {
    const found = this.violations.get(law) ?? [];
    this.violations.set(law, [...found, { atMs, message }]);
  }
}

/** Names a request, for readers. */
export function nameOf(
  phase: { readonly request: RequestRecord | undefined } & Pick<Phase, 'attributes'>,
): string {
  const { request, attributes } = phase;
  const { operation, resource, subresource, name, object } = attributes;
  const sub = subresource === '' ? '' : `/${subresource}`;
  const called = name || object?.metadata?.name || object?.metadata?.generateName || '';
  const who = request ? `request ${request.number}` : 'a request of the apiserver';
  return `${who} (${operation} ${resource.plural}${sub} ${called})`;
}
