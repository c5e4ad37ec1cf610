import type { KubeObject } from '../../../api/objects.ts';
import { errors } from '../../../api/status.ts';
import { TAINT_NODES_BY_CONDITION } from '../../../apiserver/admission/taint-nodes.ts';
import type { ApiServer } from '../../../apiserver/apiserver.ts';
import type {
  Admission,
  AdmissionAttributes,
  AdmissionContext,
  NewAdmission,
} from '../../../contracts/admission/index.ts';
import type { Client } from '../../../contracts/client.ts';
import type { Simulation } from '../../../sim/index.ts';
import { FAULT, type Outcome, type Phase, type QuotaWrite, type RequestRecord } from '../history.ts';
import type { HookPlan } from '../scenario/hooks.ts';
import { senderOf, serversOf } from './webhooks.ts';

/** The parts of a run that a recorded admission writes to. */
export interface Recording {
  readonly sim: Simulation;
  readonly hooks: readonly HookPlan[];
  readonly latencyMs: number;
  readonly phases: Phase[];
  readonly strays: Phase['calls'];
  readonly open: Set<Phase>;
  readonly disabled: readonly string[];
  readonly quotaWrites: QuotaWrite[];
  /** Returns whether writes of quotas fail now. */
  isFaulty(): boolean;
  /** Undefined until the apiserver stands. */
  server(): ApiServer | undefined;
  requestOf(attributes: AdmissionAttributes): RequestRecord | undefined;
  /** Receives the context of the apiserver. */
  onContext(context: AdmissionContext): void;
}

/** Returns an admission like that of `newAdmission`, whose calls and messages are recorded and take time. */
export function recorded(newAdmission: NewAdmission, number: number, recording: Recording): NewAdmission {
  const { sim, hooks, latencyMs, phases, strays, open } = recording;
  const random = sim.random.fork(`admission-${number}`);
  const travel = (): Promise<void> => sim.turn(1 + random.int(latencyMs), `apiserver-${number}`, 'message');

  const note = async (
    method: Phase['method'],
    attributes: AdmissionAttributes,
    call: (noted: AdmissionAttributes) => Promise<KubeObject | undefined>,
  ): Promise<KubeObject | undefined> => {
    const { storage, cache } = recording.server() as ApiServer;
    const { operation, user, resource, subresource, namespace, name, dryRun, deadlineMs, options } =
      attributes;
    const request = recording.requestOf(attributes);
    const oldText = textOf(attributes.oldObject);
    const copied = { object: copyOf(attributes.object), oldObject: copyOf(attributes.oldObject) };
    const same = { operation, user, resource, subresource, namespace, name, dryRun, deadlineMs };
    const epochMs = sim.clock.now() - sim.elapsedMs;
    const phase: Phase = {
      number: phases.length,
      method,
      server: number,
      request,
      attributes: { ...same, ...copied, options: copyOf(options), deadlineMs: deadlineMs - epochMs },
      startMs: sim.elapsedMs,
      startRevision: storage.revision,
      cachedRevision: cache.position,
      calls: [],
      warnings: [],
      annotations: new Map(),
    };
    phases.push(phase);
    request?.phases.push(phase);
    open.add(phase);
    const noted: AdmissionAttributes = {
      ...same,
      options,
      ...(attributes.object === undefined ? {} : { object: attributes.object }),
      ...(attributes.oldObject === undefined ? {} : { oldObject: attributes.oldObject }),
      warn: (text) => {
        phase.warnings.push(text);
        attributes.warn(text);
      },
      annotate: (key, value) => {
        phase.annotations.set(key, value);
        attributes.annotate(key, value);
      },
    };
    const outcome = await outcomeOf(call(noted));
    open.delete(phase);
    phase.outcome = 'value' in outcome ? { value: copyOf(outcome.value) } : outcome;
    phase.endMs = sim.elapsedMs;
    phase.endRevision = storage.revision;
    phase.hasChangedOld = textOf(attributes.oldObject) !== oldText;
    const asks = method === 'admit' && hooks.length === 0 && 'value' in outcome && outcome.value;
    if (asks && outcome.value) {
      const second = await outcomeOf(
        call({ ...noted, object: outcome.value, warn: () => {}, annotate: () => {} }),
      );
      phase.again = 'value' in second ? { value: copyOf(second.value) } : second;
      phase.againRevision = storage.revision;
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };

  return (context) => {
    recording.onContext(context);
    const webhooks = serversOf(sim, hooks, (call) => {
      const phase = senderOf(open, call);
      (phase?.calls ?? strays).push(call);
      const { name = '', operation = '' } = call.review.request ?? {};
      sim.trace.record({
        actor: phase?.request ? `request ${phase.request.number}` : `apiserver ${number}`,
        verb: 'asks',
        object: `hook-${call.hook}`,
        note: `${operation} ${name}`,
      });
    });
    const client = writing(delayed(context.client, travel), recording, number);
    // The plugin is given. An admission of another design has none.
    const disabledPlugins = [...recording.disabled, TAINT_NODES_BY_CONDITION];
    const inner: Admission = newAdmission({ ...context, webhooks, client, disabledPlugins });
    return {
      admit: (attributes) => note('admit', attributes, (noted) => inner.admit(noted)),
      validate: async (attributes) => {
        await note('validate', attributes, async (noted) => {
          await inner.validate(noted);
          return undefined;
        });
      },
    };
  };
}

/** Returns a client whose requests and answers travel. */
function delayed(client: Client, travel: () => Promise<void>): Client {
  return new Proxy(client, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        await travel();
        const outcome = await outcomeOf(Promise.resolve(method.apply(target, args) as Promise<unknown>));
        await travel();
        if ('error' in outcome) throw outcome.error;
        return outcome.value;
      };
    },
  });
}

/** Returns a client whose writes of quotas are recorded, and fail while the storage is out of order. */
function writing(client: Client, { sim, quotaWrites, isFaulty }: Recording, server: number): Client {
  const updateStatus: Client['updateStatus'] = async (resource, object, options) => {
    const { namespace = '', name } = object.metadata;
    const write: QuotaWrite = { server, namespace, name, atMs: sim.elapsedMs };
    if (resource.kind === 'ResourceQuota') quotaWrites.push(write);
    try {
      if (resource.kind === 'ResourceQuota' && isFaulty()) throw errors.internal(FAULT);
      return await client.updateStatus(resource, object, options);
    } catch (error) {
      write.hasFailed = true;
      throw error;
    }
  };
  return new Proxy(client, {
    get: (target, key) => (key === 'updateStatus' ? updateStatus : Reflect.get(target, key)),
  });
}

/** Waits for a promise, and never rejects. */
export async function outcomeOf<T>(promise: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error };
  }
}

const textOf = (object: unknown): string => JSON.stringify(object) ?? '';
const copyOf = <T>(object: T): T =>
  object === undefined ? object : (JSON.parse(JSON.stringify(object)) as T);
