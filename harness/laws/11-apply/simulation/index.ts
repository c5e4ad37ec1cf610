import type { KubeObject, New } from '../../../api/objects.ts';
import { customResourceDefinitions } from '../../../api/plain-resources.ts';
import {
  groupVersion,
  namespaces,
  type Resource,
  resources,
  serviceAccounts,
} from '../../../api/resource.ts';
import { ApiServer } from '../../../apiserver/apiserver.ts';
import { schemaOf } from '../../../apiserver/patch/index.ts';
import { Storage } from '../../../apiserver/storage/storage.ts';
import type { Apply, ApplyOptions, Mapping } from '../../../contracts/apply/index.ts';
import { NotImplemented } from '../../../contracts/todo.ts';
import { drawTimeline } from '../../../drawing/timeline.ts';
import { Line, Simulation, scripted } from '../../../sim/index.ts';
import {
  type ApplyHistory,
  type ApplyRecord,
  nameOf,
  type RequestRecord,
  type StoredObject,
} from '../history.ts';
import { expectedOf } from '../oracle/documents.ts';
import { resultOf, seenBy, wantedBy } from '../oracle/result.ts';
import { describeAct, describeApply, describeReport } from '../render/index.ts';
import type { Act, ApplyPlan, ApplyScenario, Interruption } from '../scenario/index.ts';
import { definitionOf } from '../scenario/kinds.ts';
import { documentsOf } from '../scenario/manifests.ts';
import { perform, targetOf } from './acts.ts';
import { clientOf } from './requests.ts';

/** An apply that takes longer never ends. */
const END_MS = 120_000;

/** The codes of a server that cannot use a patch. */
const REFUSALS: ReadonlySet<number> = new Set([400, 415, 422, 500]);

/** The resources that discovery finds in each cluster. */
const BUILT_IN: readonly Resource[] = [...resources, customResourceDefinitions as unknown as Resource];

/** The namespaces of the cluster. */
const NAMESPACES = ['default', 'team', 'other'];

/** Runs a scenario. */
export function runApply(apply: Apply, scenario: ApplyScenario): Promise<ApplyHistory> {
  return new ApplySimulation(apply, scenario).run();
}

class ApplySimulation {
  readonly #apply: Apply;
  readonly #scenario: ApplyScenario;
  readonly #sim: Simulation;
  readonly #storage = new Storage();
  readonly #servers: ApiServer[];
  readonly #line: Line;
  readonly #applies: ApplyRecord[] = [];
  #sent = 0;

  constructor(apply: Apply, scenario: ApplyScenario) {
    const { seed, schedule, replicas, tracksOwners = false, latencyMs } = scenario;
    this.#apply = apply;
    this.#scenario = scenario;
    this.#sim = new Simulation({ seed, choose: scripted(schedule) });
    const sim = this.#sim;
    this.#servers = Array.from(
      { length: replicas },
      (_, i) =>
        new ApiServer({
          storage: this.#storage,
          clock: sim.clockFor(`apiserver-${i}`),
          random: sim.random.fork(`apiserver-${i}`),
          trackOnCreate: tracksOwners,
        }),
    );
    const latency = sim.random.fork('latency');
    this.#line = new Line(sim, {
      actor: 'kubectl',
      latencyMs: () => (latencyMs > 1 ? 1 + latency.int(latencyMs) : 1),
    });
  }

  async run(): Promise<ApplyHistory> {
    const sim = this.#sim;
    await sim.settle(this.#prepare());
    for (const step of this.#scenario.steps) {
      await sim.run({ forMs: step.afterMs });
      if (step.do === 'act') await sim.settle(this.#act(step, 'other clients'));
      else if (!(await this.#runApply(step))) break;
    }
    const entries = [...sim.trace.entries];
    return {
      scenario: this.#scenario,
      applies: this.#applies,
      hash: sim.trace.hash(),
      timeline: () => drawTimeline(entries),
    };
  }

  get #server(): ApiServer {
    return this.#servers[0] as ApiServer;
  }

  async #prepare(): Promise<void> {
    for (const name of NAMESPACES) await this.#create(namespaces as Resource, { metadata: { name } });
    await this.#create(customResourceDefinitions as unknown as Resource, {
      metadata: { name: 'widgets.example.com' },
      ...definitionOf('widgets', 'Widget'),
    });
    for (const name of NAMESPACES) {
      await this.#create(serviceAccounts as Resource, { metadata: { namespace: name, name: 'default' } });
    }
    await this.#sim.turn(10, 'admin', 'waits for the definition');
  }

  #create(resource: Resource, object: object): Promise<unknown> {
    return this.#server.as('admin').create(resource, object as New<KubeObject>);
  }

  get #widgets(): Resource {
    const found = this.#custom('example.com/v1', 'Widget');
    if (!found) throw new Error('The definition of widgets is not established.');
    return found;
  }

  #custom(apiVersion: string, kind: string): Resource | undefined {
    return this.#server.customResources.find(
      (each) => each.kind === kind && `${each.group}/${each.version}` === apiVersion,
    );
  }

  async #mappingOf(apiVersion: string, kind: string): Promise<Mapping | undefined> {
    await this.#sim.turn(0, 'kubectl', 'discovery');
    const known = BUILT_IN.find((each) => each.kind === kind && groupVersion(each) === apiVersion);
    if (known) return { resource: known, mergeSchema: schemaOf(known) ?? {} };
    const custom = this.#custom(apiVersion, kind);
    return custom && { resource: custom };
  }

  async #act(act: Act, when: string): Promise<void> {
    this.#sim.trace.record({ actor: when, verb: describeAct(act), revision: this.#storage.revision });
    if (act.act === 'lag') {
      const { cache } = this.#servers[act.replica % this.#servers.length] as ApiServer;
      cache.hold();
      this.#sim.schedule(act.forMs, 'nemesis', 'relents', () => cache.release());
      return;
    }
    const server = this.#server;
    await perform(act, {
      storage: this.#storage,
      widgets: this.#widgets,
      as: (actor) => server.as(actor),
    });
  }

  /** @returns whether it ended */
  async #runApply(plan: ApplyPlan): Promise<boolean> {
    const sim = this.#sim;
    const record: ApplyRecord = {
      number: this.#applies.length,
      plan,
      documents: documentsOf(plan.documents),
      options: optionsOf(plan),
      expected: expectedOf(plan, this.#widgets),
      widgets: this.#widgets,
      startMs: sim.elapsedMs,
      requests: [],
      before: this.#everything(),
      after: [],
      disturbed: new Set(),
    };
    this.#applies.push(record);
    const actor = `apply ${record.number}`;
    sim.trace.record({ actor, verb: describeApply(plan) });
    const client = clientOf(record, this.#line, () => sim.elapsedMs, {
      server: () => (this.#servers[this.#sent++ % this.#servers.length] as ApiServer).as('kubectl'),
      read: ({ resource, key }) =>
        key.name === undefined ? undefined : this.#storage.get(resource, { ...key, name: key.name }),
      interrupt: (interruption) => this.#interrupt(interruption, record),
      judgeRefusal: (request, apply, error) => this.#judgeRefusal(request, apply, error),
    });
    const context = {
      client,
      clock: sim.clockFor('kubectl'),
      mappingOf: (apiVersion: string, kind: string) => this.#mappingOf(apiVersion, kind),
    };
    const running = (async () => this.#apply(context, record.documents, record.options))();
    running.then(
      (report) => Object.assign(record, { report, endMs: sim.elapsedMs }),
      (rejection: unknown) => Object.assign(record, { rejection, endMs: sim.elapsedMs }),
    );
    await sim.run({ forMs: END_MS, until: () => record.endMs !== undefined });
    record.after = this.#everything();
    if (record.rejection instanceof NotImplemented) throw record.rejection;
    sim.trace.record({ actor, verb: 'ends', note: describeReport(record) });
    return record.endMs !== undefined;
  }

  async #interrupt(interruption: Interruption, record: ApplyRecord): Promise<void> {
    if (interruption.act !== 'lag') {
      const { resource, key } = targetOf(interruption, this.#widgets);
      record.disturbed.add(nameOf(resource, key));
    }
    await this.#act(interruption, 'other clients');
  }

  /** Asks the server for a dry run of the right result, if it refused the object of a request. */
  async #judgeRefusal(
    request: RequestRecord,
    apply: ApplyRecord,
    error: unknown,
  ): Promise<boolean | undefined> {
    const { code } = (error as { status?: { code?: number } }).status ?? {};
    const wanted = wantedBy(apply, request);
    const seen = wanted && seenBy(apply, request);
    if (!code || !REFUSALS.has(code) || !wanted || !seen || !request.before) return undefined;
    const right = resultOf(wanted, seen, request.before, true);
    return this.#server
      .as('judge')
      .update(request.resource, right as never, { dryRun: true })
      .then(
        () => true,
        () => false,
      );
  }

  #everything(): readonly StoredObject[] {
    return this.#storage.everything();
  }
}

function optionsOf({ options = {} }: ApplyPlan): ApplyOptions {
  const { namespace = 'default', required = false, prune, ...flags } = options;
  return { ...flags, namespace: { name: namespace, required }, ...(prune && { prune: { selector: prune } }) };
}
