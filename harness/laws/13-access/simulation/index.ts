import { ApiServer } from '../../../apiserver/apiserver.ts';
import { Storage } from '../../../apiserver/storage/storage.ts';
import type { KubeObject, New, RbacObject } from '../../../api/objects.ts';
import { namespaces, type Resource } from '../../../api/resource.ts';
import { StatusError } from '../../../api/status.ts';
import type { AccessConfiguration, NewAccess, User } from '../../../contracts/access/index.ts';
import { NotImplemented } from '../../../contracts/todo.ts';
import { drawTimeline } from '../../../drawing/timeline.ts';
import { seededRandom, Trace } from '../../../sim/index.ts';
import { ManualClock } from '../../../testing/manual-clock.ts';
import type { AccessHistory, Call, HistoryEntry } from '../history.ts';
import { render, renderStep } from '../render/history.ts';
import {
  type AccessScenario,
  type Caller,
  type Grant,
  ISSUER,
  NAMESPACES,
  type ObjectPlan,
  type Question,
  RBAC,
  resourceRequest,
  STATIC_TOKENS,
  type Step,
  type WriteVerb,
} from '../scenario/index.ts';
import { grantManifest, grantResources, objectManifest, objectResources } from '../scenario/manifests.ts';
import { questionsIn } from '../scenario/questions.ts';
import { Issuer, certificateOf } from './issuer.ts';
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
  readonly #issuer = new Issuer(this.#storage);
  readonly #entries: HistoryEntry[] = [];
  readonly #access: Recorder;

  constructor(newAccess: NewAccess, scenario: AccessScenario) {
    this.#scenario = scenario;
    const clock = this.#clock;
    this.#server = new ApiServer({ clock, random: seededRandom(scenario.seed), storage: this.#storage });
    const { anonymous, authorizers } = scenario.configuration;
    const configuration: AccessConfiguration = {
      anonymous,
      authorizers,
      staticTokens: new Map<string, User>(Object.entries(STATIC_TOKENS)),
      issuer: ISSUER,
      audiences: [ISSUER],
      verifyToken: (token) => this.#issuer.verify(token),
    };
    const parts = { server: this.#server, clock, configuration };
    this.#access = new Recorder(newAccess, parts, (call) => this.#record(call));
  }

  async live(): Promise<AccessHistory> {
    for (const name of NAMESPACES) await this.#server.create(namespaces, { metadata: { name } } as never);
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
        await refusable(() => this.#server.delete(objectResources[step.object.kind], keyIn(step.object)));
        return;
      case 'remake': {
        const resource = objectResources[step.object.kind];
        const key = keyIn(step.object);
        const old = this.#storage.get(resource, key);
        if (old) this.#storage.delete(resource, key, old.metadata.resourceVersion);
        await this.#make(step.object);
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
    await refusable(() => this.#server.create(objectResources[plan.kind], objectManifest(plan) as never));
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
    const asked = resourceRequest({
      verb: verb === 'apply' ? 'patch' : verb,
      apiGroup: RBAC,
      resource: resource.plural,
      namespace: grant.namespace ?? '',
      name: verb === 'create' ? '' : grant.name,
    });
    const user = this.#userOf(caller, asked);
    if (!user || !this.#may(user, asked)) return;
    const old = this.#storage.get(resource, key);
    if (!old && (verb === 'update' || verb === 'apply') && !this.#may(user, { ...asked, verb: 'create' })) return;
    const before = this.#storage.revision;
    await refusable(async () => {
      const dry = await this.#send(verb, resource, grant, true);
      if (dry) {
        this.#access.checkGrant({
          user,
          resource: resource as Resource<RbacObject>,
          object: dry as RbacObject,
          ...(old && { old: old as RbacObject }),
        });
      }
      const check = this.#entries.at(-1);
      await this.#send(verb, resource, grant, false);
      if (dry && check) check.stored = { before, after: this.#storage.revision };
    });
  }

  /** Sends a write. Returns the object after it; undefined for a delete. */
  async #send(verb: WriteVerb, resource: Resource, grant: Grant, dryRun: boolean): Promise<KubeObject | undefined> {
    const key = keyIn(grant);
    const manifest = grantManifest(grant);
    const old = this.#storage.get(resource, key);
    const patchable = { rules: null, subjects: null, aggregationRule: null, ...manifest };
    switch (verb) {
      case 'create':
        return await this.#server.create(resource, manifest as New<never>, { dryRun });
      case 'update': {
        const metadata = { ...(old && { resourceVersion: old.metadata.resourceVersion }), ...manifest.metadata };
        return await this.#server.update(resource, { ...manifest, metadata } as never, { dryRun });
      }
      case 'patch':
        return await this.#server.patch(resource, key, { type: 'merge', body: patchable }, { dryRun });
      case 'apply':
        return await this.#server.patch(
          resource,
          key,
          { type: 'apply', body: manifest },
          { dryRun, fieldManager: 'jane', force: true },
        );
      case 'delete':
        if (!dryRun) await this.#server.delete(resource, key);
        return undefined;
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
  #goneAtMs(own: NonNullable<ReturnType<Issuer['named']>>['kubernetes.io']): number | undefined {
    const { namespace, serviceaccount, pod, secret, node } = own;
    const objects = [
      this.#storage.get(objectResources.ServiceAccount, { namespace, name: serviceaccount.name }),
      pod && this.#storage.get(objectResources.Pod, { namespace, name: pod.name }),
      secret && this.#storage.get(objectResources.Secret, { namespace, name: secret.name }),
      node && !pod && this.#storage.get(objectResources.Node, { name: node.name }),
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
