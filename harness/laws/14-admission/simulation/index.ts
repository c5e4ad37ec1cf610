import type * as core from '#api/core/v1';
import type { KubeObject, New } from '../../../api/objects.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../../api/plain-resources.ts';
import { namespaces, nodes, priorityClasses, type Resource, serviceAccounts } from '../../../api/resource.ts';
import { ApiServer } from '../../../apiserver/apiserver.ts';
import { Storage } from '../../../apiserver/storage/storage.ts';
import type { User } from '../../../contracts/access/index.ts';
import type { AdmissionContext, NewAdmission } from '../../../contracts/admission/index.ts';
import { NotImplemented } from '../../../contracts/todo.ts';
import { drawTimeline } from '../../../drawing/timeline.ts';
import { Simulation, scripted } from '../../../sim/index.ts';
import type { AdmissionHistory, Call, Phase, QuotaWrite, RequestRecord, Write } from '../history.ts';
import { describeOutcome, describeStep } from '../render/index.ts';
import { configurationsOf } from '../scenario/hooks.ts';
import {
  type AdmissionScenario,
  type Change,
  KUBE_SYSTEM,
  nameOfNamespace,
  type Operation,
  type RequestPlan,
} from '../scenario/index.ts';
import { accountOf, classOf, limitRanges, quotaOf, rangeOf, resourceQuotas } from '../scenario/objects.ts';
import { outcomeOf, recorded } from './admission.ts';
import { perform } from './requests.ts';

/** Requests end after 60 seconds at the latest, unless the admission never ends. */
const END_MS = 150_000;

/** Runs a scenario with apiservers that ask the admission. */
export function runAdmission(
  newAdmission: NewAdmission,
  scenario: AdmissionScenario,
): Promise<AdmissionHistory> {
  return new AdmissionSimulation(newAdmission, scenario).run();
}

class AdmissionSimulation {
  readonly #scenario: AdmissionScenario;
  readonly #sim: Simulation;
  readonly #storage = new Storage();
  /** An apiserver without admission, for the admin. */
  readonly #admin: ApiServer;
  readonly #servers: ApiServer[] = [];
  readonly #requests: RequestRecord[] = [];
  readonly #phases: Phase[] = [];
  readonly #strays: Call[] = [];
  readonly #writes: Write[] = [];
  #context: AdmissionContext | undefined;
  #failure: { readonly error: unknown } | undefined;
  #ranges = 0;
  /** Until then writes of quotas fail. */
  #faultUntilMs = 0;
  readonly #quotaWrites: QuotaWrite[] = [];

  constructor(newAdmission: NewAdmission, scenario: AdmissionScenario) {
    const { seed, schedule, facts, latencyMs, replicas } = scenario;
    this.#scenario = scenario;
    this.#sim = new Simulation({ seed, choose: scripted(schedule) });
    const sim = this.#sim;
    const storage = this.#storage;
    storage.follow({
      wrote: (entry) => {
        this.#writes.push({ ...entry, atMs: sim.elapsedMs });
      },
    });
    this.#admin = new ApiServer({ storage, clock: sim.clockFor('admin'), random: sim.random.fork('admin') });
    const open = new Set<Phase>();
    for (let i = 0; i < replicas; i++) {
      const admission = recorded(newAdmission, i, {
        sim,
        hooks: facts.hooks,
        latencyMs,
        phases: this.#phases,
        strays: this.#strays,
        open,
        disabled: facts.disabled ?? [],
        quotaWrites: this.#quotaWrites,
        isFaulty: () => sim.elapsedMs < this.#faultUntilMs,
        server: () => this.#servers[i],
        requestOf: ({ user }) => this.#requests[Number(/^request-(\d+)$/.exec(user.uid ?? '')?.[1] ?? -1)],
        onContext: (context) => {
          this.#context ??= context;
        },
      });
      const [clock, random] = [sim.clockFor(`apiserver-${i}`), sim.random.fork(`apiserver-${i}`)];
      this.#servers.push(new ApiServer({ storage, clock, random, admission }));
    }
  }

  async run(): Promise<AdmissionHistory> {
    const sim = this.#sim;
    await sim.settle(this.#prepare());
    let atMs = 0;
    for (const step of this.#scenario.steps) {
      atMs += step.afterMs;
      sim.schedule(atMs, 'user', step.do, () => this.#take(step));
    }
    const isOver = (): boolean =>
      this.#failure !== undefined ||
      (sim.elapsedMs >= atMs && this.#requests.every(({ endMs }) => endMs !== undefined));
    await sim.run({ forMs: atMs + 1 });
    await sim.run({ forMs: END_MS, until: isOver });
    if (this.#failure) throw this.#failure.error;
    const storage = this.#storage;
    const entries = [...sim.trace.entries];
    const context = this.#context as AdmissionContext;
    return {
      scenario: this.#scenario,
      requests: this.#requests,
      phases: this.#phases,
      strays: this.#strays,
      quotaWrites: this.#quotaWrites,
      writes: this.#writes,
      read: (resource, key, revision) => storage.get(resource, key, revision),
      list: (resource, namespace, revision) => storage.list(resource, { namespace, revision }),
      tools: {
        setDefaults: context.setDefaults.bind(context),
        decode: context.decode.bind(context),
        applyJsonPatch: context.applyJsonPatch.bind(context),
      },
      endMs: sim.elapsedMs,
      hash: sim.trace.hash(),
      timeline: () => drawTimeline(entries),
    };
  }

  /** Creates the objects of the beginning. */
  async #prepare(): Promise<void> {
    const { namespaces: labels, ranges, classes, accounts, quotas, hooks } = this.#scenario.facts;
    for (const [name, own] of Object.entries(this.#scenario.facts.nodes ?? {})) {
      await this.#create(nodes, { metadata: { name, labels: { ...own } } });
    }
    for (const name of ['default', 'kube-public']) await this.#create(namespaces, { metadata: { name } });
    await this.#found(KUBE_SYSTEM);
    for (const [i] of labels.entries()) await this.#found(i);
    for (const plan of classes) await this.#create(priorityClasses, classOf(plan));
    for (const plan of accounts) await this.#create(serviceAccounts, accountOf(plan));
    for (const plan of ranges) await this.#create(limitRanges, rangeOf(plan, `range-${this.#ranges++}`));
    for (const [i, plan] of quotas.entries()) {
      const sent = quotaOf(plan, `quota-${i}`);
      await this.#create(resourceQuotas, sent);
      const zeros = Object.fromEntries(Object.keys(plan.hard).map((name) => [name, '0']));
      const used = { ...zeros, ...plan.used };
      await this.#admin.updateStatus(resourceQuotas, {
        ...sent,
        status: { hard: plan.hard, used },
      } as never);
    }
    for (const [resource, phase] of [
      [mutatingWebhookConfigurations, 'mutating'],
      [validatingWebhookConfigurations, 'validating'],
    ] as const) {
      for (const configuration of configurationsOf(hooks, phase)) {
        await this.#createHooks(resource as unknown as Resource, configuration);
      }
    }
  }

  /** Creates a webhook configuration. The API rejects some values today, but another release may have stored them. */
  async #createHooks(
    resource: Resource,
    configuration: ReturnType<typeof configurationsOf>[number],
  ): Promise<void> {
    const webhooks = configuration.webhooks.map((hook) => ({
      ...hook,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    }));
    const created = await this.#admin.create(resource, { ...configuration, webhooks } as never);
    const stored = created as unknown as KubeObject & { webhooks: readonly object[] };
    const next = stored.webhooks.map((hook, i) => ({
      ...hook,
      sideEffects: configuration.webhooks[i]?.sideEffects,
      admissionReviewVersions: configuration.webhooks[i]?.admissionReviewVersions,
    }));
    this.#storage.update(
      resource,
      { ...stored, webhooks: next } as KubeObject,
      stored.metadata.resourceVersion,
    );
  }

  /** Creates a namespace with its account. */
  async #found(index: number): Promise<void> {
    const labels = this.#scenario.facts.namespaces[index] ?? {};
    await this.#create(namespaces, { metadata: { name: nameOfNamespace(index), labels: { ...labels } } });
    await this.#create(serviceAccounts, accountOf({ namespace: index, name: 'default' }));
  }

  #create<T extends KubeObject>(resource: Resource<T>, object: object): Promise<unknown> {
    return this.#admin.create(resource, object as New<T>);
  }

  #take(step: Operation): void {
    if (step.do === 'request') {
      this.#request(step);
      return;
    }
    this.#sim.trace.record({ actor: 'admin', verb: describeStep(step) });
    if (step.do === 'change') this.#change(step.change).catch((error: unknown) => this.#fail(error));
    else if (step.do === 'hold') this.#server(step.server).cache.hold();
    else this.#server(step.server).cache.release();
  }

  #server(index: number): ApiServer {
    return this.#servers[index % this.#servers.length] as ApiServer;
  }

  #request(plan: RequestPlan): void {
    const { trace } = this.#sim;
    const record: RequestRecord = {
      number: this.#requests.length,
      plan,
      startMs: this.#sim.elapsedMs,
      phases: [],
    };
    this.#requests.push(record);
    const actor = `request ${record.number}`;
    trace.record({ actor, verb: describeStep(plan), revision: this.#storage.revision });
    const user = userOf(record);
    outcomeOf(
      perform(
        this.#server(plan.server).as(user, `request-${record.number}`),
        plan,
        this.#storage,
        record.number,
      ),
    )
      .then((outcome) => {
        if ('error' in outcome && isOurs(outcome.error)) this.#fail(outcome.error);
        record.outcome = outcome;
        record.endMs = this.#sim.elapsedMs;
        trace.record({
          actor,
          verb: 'ends',
          note: describeOutcome(outcome),
          revision: this.#storage.revision,
        });
      })
      .catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
  }

  async #change(change: Change): Promise<void> {
    const admin = this.#admin;
    switch (change.of) {
      case 'labels': {
        const name = nameOfNamespace(change.namespace);
        const old = this.#storage.get(namespaces, { name });
        if (!old) return;
        const metadata = { ...old.metadata, labels: { ...change.labels } };
        this.#storage.update(namespaces, { ...old, metadata } as never, old.metadata.resourceVersion);
        return;
      }
      case 'end': {
        const name = nameOfNamespace(change.namespace);
        if (this.#storage.get(namespaces, { name })) await admin.delete(namespaces, { name });
        return;
      }
      case 'removal':
        return this.#remove(nameOfNamespace(change.namespace));
      case 'return':
        if (!this.#storage.get(namespaces, { name: nameOfNamespace(change.namespace) })) {
          await this.#found(change.namespace);
        }
        return;
      case 'range': {
        const { namespace } = change.range;
        if (!this.#isActive(namespace)) return;
        await this.#create(limitRanges, rangeOf(change.range, `range-${this.#ranges++}`));
        return;
      }
      case 'no ranges':
        for (const range of this.#storage.list(limitRanges)) this.#drop(limitRanges as Resource, range);
        return;
      case 'class':
        if (this.#storage.get(priorityClasses, { name: change.plan.name })) return;
        await this.#create(priorityClasses, classOf(change.plan));
        return;
      case 'no class':
        return this.#drop(
          priorityClasses as Resource,
          this.#storage.get(priorityClasses, { name: change.name }),
        );
      case 'account': {
        const { namespace, name } = change.plan;
        const key = { namespace: nameOfNamespace(namespace), name };
        if (!this.#isActive(namespace) || this.#storage.get(serviceAccounts, key)) return;
        await this.#create(serviceAccounts, accountOf(change.plan));
        return;
      }
      case 'no account': {
        const key = { namespace: nameOfNamespace(change.namespace), name: change.name };
        return this.#drop(serviceAccounts as Resource, this.#storage.get(serviceAccounts, key));
      }
      case 'no quota': {
        const key = { namespace: nameOfNamespace(change.namespace), name: `quota-${change.index}` };
        return this.#drop(resourceQuotas as Resource, this.#storage.get(resourceQuotas, key));
      }
      case 'busy quota': {
        const key = { namespace: nameOfNamespace(change.namespace), name: `quota-${change.index}` };
        for (let ms = 0; ms < change.forMs; ms++) {
          this.#sim.schedule(ms, 'admin', 'annotates a quota', () => this.#annotate(key, String(ms)));
        }
        return;
      }
      case 'quota fault':
        this.#faultUntilMs = this.#sim.elapsedMs + change.forMs;
        return;
      case 'no config': {
        const resource = (change.phase === 'mutating'
          ? mutatingWebhookConfigurations
          : validatingWebhookConfigurations) as unknown as Resource;
        return this.#drop(resource, this.#storage.get(resource, { name: change.config }));
      }
    }
  }

  #annotate(key: { readonly namespace: string; readonly name: string }, note: string): void {
    const old = this.#storage.get(resourceQuotas as Resource, key);
    if (!old) return;
    const metadata = { ...old.metadata, annotations: { note } };
    this.#storage.update(resourceQuotas as Resource, { ...old, metadata }, old.metadata.resourceVersion);
  }

  #isActive(namespace: number): boolean {
    const found = this.#storage.get(namespaces, { name: nameOfNamespace(namespace) }) as
      | core.Namespace
      | undefined;
    return found?.status?.phase === 'Active';
  }

  /** Removes a namespace that ends, as the namespace controller does. */
  #remove(name: string): void {
    const found = this.#storage.get(namespaces, { name }) as (KubeObject & core.Namespace) | undefined;
    if (found?.status?.phase !== 'Terminating') return;
    for (const { resource, object } of this.#storage.everything()) {
      if (object.metadata.namespace === name) this.#drop(resource, object);
    }
    this.#drop(namespaces as Resource, found);
  }

  #drop(resource: Resource, object: KubeObject | undefined): void {
    if (!object) return;
    const { namespace, name, resourceVersion } = object.metadata;
    this.#storage.delete(resource, namespace ? { namespace, name } : { name }, resourceVersion);
  }
}

/** Returns the user of a request. The uid identifies the request. */
function userOf({ number, plan: { node, by } }: RequestRecord): User {
  const uid = `request-${number}`;
  const extra = { 'example.com/team': [`team-${number}`] };
  const user = (name: string, ...groups: readonly string[]): User => ({
    ...{ name, uid, extra },
    groups: [...groups, 'system:authenticated'],
  });
  if (node !== undefined) return user(`system:node:${node}`, 'system:nodes');
  if (by === 'administrator') return user('kubernetes-admin', 'system:masters');
  if (by === undefined) return user(`user-${number}`);
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system'];
  return user('system:serviceaccount:kube-system:replicaset-controller', ...groups);
}

/** Errors that are no answers to a request. */
const isOurs = (error: unknown): boolean => error instanceof NotImplemented;
