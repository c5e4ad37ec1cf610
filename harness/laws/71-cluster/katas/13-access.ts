import { persistentVolumes, pods } from '../../../api/resource.ts';
import type { ObservedObjects } from '../../../apiserver/object-cache.ts';
import type { AccessContext, Attributes, NewAccess } from '../../../contracts/access/index.ts';
import type { Components } from '../../../contracts/component.ts';
import { START_MS } from '../../../sim/index.ts';
import type { AccessHistory, Call, HistoryEntry } from '../../13-access/history.ts';
import { accessLaws } from '../../13-access/index.ts';
import { isNode } from '../../13-access/oracle/identity.ts';
import { RBAC } from '../../13-access/scenario/index.ts';
import { Recorder } from '../../13-access/simulation/recorder.ts';
import type { ClusterHistory } from '../history.ts';
import type { KataInCluster, Observer } from './kata.ts';
import { ofEach, type Part } from './parts.ts';

type Entry = Extract<HistoryEntry, { readonly call: 'authorize' }>;

/** The decisions of all apiservers, in their order. */
interface Decisions {
  readonly entries: readonly Entry[];
  readonly authorizers: AccessContext['configuration']['authorizers'];
}

/** Records the decisions about requests. */
class AccessObserver implements Observer {
  readonly #entries: Entry[] = [];
  #authorizers: Decisions['authorizers'] = [];
  readonly #compared = new Set<string>();

  /** A copy of the records. */
  get observed(): Decisions {
    return { entries: [...this.#entries], authorizers: this.#authorizers };
  }

  wrap(components: Partial<Components>): Partial<Components> {
    const { access: create } = components;
    if (!create) return components;
    const access: NewAccess = (context) => {
      this.#authorizers = context.configuration.authorizers;
      return new Recorder(
        create,
        context,
        (call) => this.#record(context, call),
        (attributes) => this.#isNew(attributes),
      );
    };
    return { ...components, access };
  }

  /** Each question is compared once: the second and the third decision would else take longer than the whole run. */
  #isNew(attributes: Attributes): boolean {
    const question = questionOf(attributes);
    const isNew = !this.#compared.has(question);
    this.#compared.add(question);
    return isNew;
  }

  #record({ clock, cache }: AccessContext, call: Call): void {
    if (call.call !== 'authorize') return;
    const { position, revision } = cache as ObservedObjects;
    this.#entries.push({ ...call, atMs: clock.now() - START_MS, position, revision });
  }
}

function questionOf(attributes: Attributes): string {
  const { user, verb, path, apiGroup, resource, subresource, namespace, name, fieldSelector } = attributes;
  return [user.name, verb, path, apiGroup, resource, subresource, namespace, name, fieldSelector].join(' ');
}

const prepared = new WeakMap<ClusterHistory, readonly Part<AccessHistory>[]>();

/** Returns the history of all decisions; none without access control. */
function accessOf(history: ClusterHistory): readonly Part<AccessHistory>[] {
  const known = prepared.get(history);
  if (known) return known;
  const { entries, authorizers } = history.observed.get('13-access') as Decisions;
  const part: Part<AccessHistory> = {
    name: 'access control',
    history: {
      ...history,
      scenario: { seed: history.scenario.seed, configuration: { anonymous: false, authorizers }, steps: [] },
      configuration: { anonymous: false, authorizers },
      startMs: START_MS,
      entries: withoutRepetitions(history, entries),
      log: history.journal,
      claims: new Map(),
    },
  };
  const parts = entries.length === 0 ? [] : [part];
  prepared.set(history, parts);
  return parts;
}

/**
 * Leaves out decisions like an earlier one about the same question, unless an object has been written meanwhile that can
 * change the decision.
 */
function withoutRepetitions({ journal }: ClusterHistory, entries: readonly Entry[]): readonly Entry[] {
  const ofRoles: number[] = [];
  const ofNodes: number[] = [];
  for (const { resource, revision } of journal) {
    if (resource.group === RBAC) ofRoles.push(revision);
    if (resource.group === RBAC || resource === pods || resource === persistentVolumes)
      ofNodes.push(revision);
  }
  const seen = new Set<string>();
  return entries.filter(({ attributes, result, position, revision }) => {
    const revisions = isNode(attributes.user) ? ofNodes : ofRoles;
    const state = [position, revision].map((upTo) => countUpTo(revisions, upTo));
    const id = [questionOf(attributes), result.verdict, result.reason, ...state].join(' ');
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

/** Returns how many of the sorted revisions are at most this one. */
function countUpTo(revisions: readonly number[], upTo: number): number {
  let [from, to] = [0, revisions.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((revisions[middle] as number) <= upTo) from = middle + 1;
    else to = middle;
  }
  return from;
}

const { complete, prompt, anyOrder, masters, nodesRead, nodesOnly } = accessLaws;
const each = ofEach(accessOf);

const IN_PROCESS = 'the components of a cluster are connected in the same process, without credentials';
const NO_GRANTS = 'no user of a cluster writes roles or bindings, and its controllers may escalate';
const NOBODY_ELSE = 'no user of a cluster acts as another user';

/** The laws of kata 13 for each request to each apiserver with access control. */
export const access: KataInCluster = {
  kata: '13-access',
  observer: () => new AccessObserver(),
  laws: {
    complete: each(complete),
    prompt: each(prompt),
    anyOrder: each(anyOrder),
    masters: each(masters),
    nodesRead: each(nodesRead),
    nodesOnly: each(nodesOnly),
  },
  leftOut: {
    sound: 'no component of a cluster sends a request that no rule allows',
    silent: 'no component of a cluster sends a request that no rule allows',
    missingRoles: 'no binding of a cluster refers to a missing role',
    rightUser: IN_PROCESS,
    neverAnonymous: IN_PROCESS,
    outlivesNothing: IN_PROCESS,
    worksUntilThen: IN_PROCESS,
    rightAudience: IN_PROCESS,
    noEscalation: NO_GRANTS,
    mayShare: NO_GRANTS,
    escalateAndBind: NO_GRANTS,
    noImpersonation: NOBODY_ELSE,
    actsAs: NOBODY_ELSE,
    listsRules: 'no user of a cluster asks for a list of rules',
    'aggregation aggregated': 'no user of a cluster changes a ClusterRole after its start',
    'aggregation writesOnlyRules': 'no user of a cluster changes a ClusterRole after its start',
  },
};
