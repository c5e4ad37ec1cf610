import { isDeepStrictEqual } from 'node:util';
import type { ClusterRole } from '../../../api/objects.ts';
import { clusterRoles } from '../../../api/plain-resources.ts';
import { namespaces, type Resource } from '../../../api/resource.ts';
import { StatusError } from '../../../api/status.ts';
import { ApiServer } from '../../../apiserver/apiserver.ts';
import { Storage } from '../../../apiserver/storage/storage.ts';
import type { NewAccess, TokenClaims, User } from '../../../contracts/access/index.ts';
import { NotImplemented } from '../../../contracts/todo.ts';
import { drawTimeline } from '../../../drawing/timeline.ts';
import { seededRandom, Trace } from '../../../sim/index.ts';
import { ManualClock } from '../../../testing/manual-clock.ts';
import type { AccessHistory, Call, HistoryEntry } from '../history.ts';
import { render, renderStep } from '../render/history.ts';
import {
  type AccessScenario,
  AGGREGATE_TO,
  AUDIENCES,
  type Caller,
  type Grant,
  ISSUER,
  NAMESPACES,
  type ObjectPlan,
  type Question,
  resourceRequest,
  STATIC_TOKENS,
  type Step,
  type WriteVerb,
} from '../scenario/index.ts';
import { grantManifest, grantResources, objectManifest, objectResources } from '../scenario/manifests.ts';
import { questionsIn } from '../scenario/questions.ts';
import { certificateOf, Issuer } from './issuer.ts';
import { Recorder } from './recorder.ts';

/** Number of milliseconds of the leeway. */
const LEEWAY_MS = 60_000;

/**
 * Runs the access control of one apiserver through a scenario: users send requests, an administrator changes the
 * objects, the cache lags, time passes. Returns the history, which the laws read.
 */
export async function runAccess(newAccess: NewAccess, scenario: AccessScenario): Promise<AccessHistory> {
  return await new KataSimulation(newAccess, scenario).live();
}

class KataSimulation {
  readonly #scenario: AccessScenario;
  readonly #clock = new ManualClock();
  readonly #startMs = this.#clock.now();
  readonly #trace = new Trace(() => this.#clock.now() - this.#startMs);
  readonly #storage = new Storage();
  readonly #server: ApiServer;
  /** Writes everything but roles and bindings, without access control. */
  readonly #hand: ApiServer;
  readonly #issuer = new Issuer(this.#storage);
  readonly #entries: HistoryEntry[] = [];
  readonly #access: Recorder;

  constructor(newAccess: NewAccess, scenario: AccessScenario) {
    this.#scenario = scenario;
    const { anonymous, authorizers } = scenario.configuration;
    let recorder: Recorder | undefined;
    this.#server = new ApiServer({
      clock: this.#clock,
      random: seededRandom(scenario.seed),
      storage: this.#storage,
      access: (context) => {
        recorder = new Recorder(newAccess, context, (call) => this.#record(call));
        return recorder;
      },
      accessConfiguration: {
        anonymous,
        authorizers,
        staticTokens: new Map<string, User>(Object.entries(STATIC_TOKENS)),
        issuer: ISSUER,
        audiences: AUDIENCES,
        verifyToken: (token) => this.#issuer.verify(token),
      },
    });
    this.#access = recorder as unknown as Recorder;
    this.#hand = new ApiServer({
      clock: this.#clock,
      random: seededRandom(scenario.seed + 1),
      storage: this.#storage,
    });
  }

  async live(): Promise<AccessHistory> {
    for (const name of NAMESPACES) await this.#hand.create(namespaces, { metadata: { name } } as never);
    for (const step of this.#scenario.steps) {
      this.#clock.advance(step.afterMs);
      const shown = renderStep(step);
      if (shown) this.#trace.record(shown);
      await this.#do(step);
    }
    const trace = this.#trace;
    return {
      scenario: this.#scenario,
      configuration: this.#scenario.configuration,
      startMs: this.#startMs,
      entries: this.#entries,
      log: this.#storage.entriesSince(0),
      claims: this.#issuer.claims,
      hash: trace.hash(),
      timeline: () => drawTimeline(trace.entries),
    };
  }

  async #do(step: Step): Promise<void> {
    switch (step.act) {
      case 'ask':
        this.#ask(step.caller, step.question);
        return;
      case 'write':
        await this.#write(step.caller, step.verb, step.grant);
        return;
      case 'make':
        await this.#make(step.object);
        return;
      case 'remove':
        await refusable(() => this.#hand.delete(objectResources[step.object.kind], keyIn(step.object)));
        return;
      case 'vanish':
      case 'remake': {
        const resource = objectResources[step.object.kind];
        const key = keyIn(step.object);
        const old = this.#storage.get(resource, key);
        if (old) this.#storage.delete(resource, key, old.metadata.resourceVersion);
        if (step.act === 'remake') await this.#make(step.object);
        return;
      }
      case 'issue':
        this.#issuer.issue(step.token, step.plan, this.#clock.now());
        return;
      case 'review':
        this.#access.authenticateToken(this.#issuer.filledIn(step.header), step.audiences);
        return;
      case 'rules': {
        const user = this.#userOf(step.caller, resourceRequest({}));
        if (!user) return;
        this.#access.compareWith([
          ...questionsIn(step.namespace),
          ...this.#scenario.steps.flatMap((each) =>
            each.act === 'ask' && isIn(each.question, step.namespace) ? [each.question] : [],
          ),
        ]);
        this.#access.rulesFor(user, step.namespace);
        return;
      }
      case 'clock':
        this.#moveTo(step);
        return;
      default:
        this.#server.cache[step.act]();
    }
  }

  async #make(plan: ObjectPlan): Promise<void> {
    await refusable(() => this.#hand.create(objectResources[plan.kind], objectManifest(plan) as never));
  }

  /** Returns the user of a request, after impersonation; undefined if the request is refused. */
  #userOf({ certificate, header, as }: Caller, { path }: Question): User | undefined {
    const found = this.#access.authenticate({
      ...(certificate && { certificate: certificateOf(certificate, this.#startMs) }),
      ...(header !== undefined && { authorization: this.#issuer.filledIn(header) }),
      path: path || '/api/v1/namespaces/a/pods',
    });
    if ('rejected' in found) return undefined;
    if (!as) return found.user;
    try {
      return this.#access.impersonate(found.user, as);
    } catch (error) {
      if (error instanceof StatusError) return undefined;
      throw error;
    }
  }

  #ask(caller: Caller, question: Question): boolean {
    const user = this.#userOf(caller, question);
    return user !== undefined && this.#may(user, question);
  }

  #may(user: User, question: Question): boolean {
    return this.#access.authorize({ ...question, user }).verdict === 'allow';
  }

  async #write(caller: Caller, verb: WriteVerb, grant: Grant): Promise<void> {
    const resource = grantResources[grant.kind];
    const key = keyIn(grant);
    const user = this.#userOf(caller, resourceRequest({}));
    if (!user) return;
    const client = this.#server.as(user);
    const manifest = grantManifest(grant);
    const before = this.#storage.revision;
    const first = this.#entries.length;
    switch (verb) {
      case 'create':
        await refusable(() => client.create(resource, manifest));
        break;
      case 'update': {
        const { resourceVersion } = this.#storage.get(resource, key)?.metadata ?? { resourceVersion: '' };
        const metadata = { ...manifest.metadata, ...(resourceVersion && { resourceVersion }) };
        await refusable(() => client.update(resource, { ...manifest, metadata } as never));
        break;
      }
      case 'patch': {
        const body = { rules: null, subjects: null, aggregationRule: null, ...manifest };
        await refusable(() => client.patch(resource, key, { type: 'merge', body }));
        break;
      }
      case 'apply': {
        const options = { fieldManager: user.name, force: true };
        await refusable(() => client.patch(resource, key, { type: 'apply', body: manifest }, options));
        break;
      }
      case 'delete':
        await refusable(() => client.delete(resource, key));
    }
    if (this.#storage.revision === before) return;
    this.#aggregate();
    const own = this.#entries.slice(first);
    const check =
      own.findLast(({ call }) => call === 'checkGrant') ?? own.find(({ call }) => call === 'authorize');
    if (check) check.stored = { before, after: this.#storage.revision };
  }

  /** Fills in the rules of the aggregated roles, until nothing changes, as their controller does. */
  #aggregate(): void {
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      const all = this.#storage.list(clusterRoles as unknown as Resource) as ClusterRole[];
      for (const role of all) {
        const selectors = role.aggregationRule?.clusterRoleSelectors;
        if (!selectors) continue;
        const labels = selectors.map(({ matchLabels = {} }) => matchLabels[AGGREGATE_TO]);
        const parts = all.filter(({ metadata }) => labels.includes(metadata.labels?.[AGGREGATE_TO] ?? '-'));
        const rules = distinct(parts.flatMap((part) => (part === role ? [] : (part.rules ?? []))));
        if (isDeepStrictEqual(rules, role.rules ?? [])) continue;
        this.#storage.update(clusterRoles, { ...role, rules }, role.metadata.resourceVersion);
        isChanged = true;
        break;
      }
    }
  }

  /** Moves the time to an edge of a token. */
  #moveTo({ token, edge, offsetMs }: Extract<Step, { act: 'clock' }>): void {
    const claims = this.#issuer.named(token);
    if (!claims) return;
    const edges = {
      exp: claims.exp * 1_000 + LEEWAY_MS,
      nbf: claims.nbf * 1_000 - LEEWAY_MS,
      iat: claims.iat * 1_000 - LEEWAY_MS,
      gone: this.#goneAtMs(claims['kubernetes.io']),
    };
    const at = edges[edge];
    if (at === undefined) return;
    const wait = at + offsetMs - this.#clock.now();
    if (wait > 0) this.#clock.advance(wait);
  }

  /** Returns the end of the leeway after the first deletion of an object of the claims. */
  #goneAtMs({
    namespace,
    serviceaccount,
    pod,
    secret,
    node,
  }: TokenClaims['kubernetes.io']): number | undefined {
    const objects = [
      this.#storage.get(objectResources.ServiceAccount, { namespace, name: serviceaccount.name }),
      ...(pod ? [this.#storage.get(objectResources.Pod, { namespace, name: pod.name })] : []),
      ...(secret ? [this.#storage.get(objectResources.Secret, { namespace, name: secret.name })] : []),
      ...(node && !pod ? [this.#storage.get(objectResources.Node, { name: node.name })] : []),
    ];
    const times = objects.flatMap((object) =>
      object?.metadata.deletionTimestamp ? [Date.parse(object.metadata.deletionTimestamp) + LEEWAY_MS] : [],
    );
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  #record(call: Call): void {
    const { position } = this.#server.cache;
    const { revision } = this.#storage;
    this.#entries.push({ ...call, atMs: this.#clock.now() - this.#startMs, position, revision });
    const shown = render(call);
    if (shown) this.#trace.record(shown);
  }
}

function distinct<T>(all: readonly T[]): T[] {
  return all.filter((each, i) => all.findIndex((other) => isDeepStrictEqual(other, each)) === i);
}

/** Performs a write that the apiserver may refuse. */
async function refusable(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (error instanceof NotImplemented || !(error instanceof StatusError)) throw error;
  }
}

function isIn({ namespace, isResourceRequest }: Question, asked: string): boolean {
  return isResourceRequest ? namespace === asked : asked === '';
}

function keyIn({ namespace, name }: { readonly namespace?: string; readonly name: string }) {
  return namespace === undefined ? { name } : { namespace, name };
}
