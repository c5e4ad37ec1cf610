import type {
  Admission,
  AdmissionAttributes,
  AdmissionContext,
  AdmissionReview,
  Hook,
  LimitRange,
  Operation,
  WebhookResponse,
  WebhookTransport,
} from '#given/14-admission';
import {
  type Client,
  type Clock,
  type core,
  errors,
  type KubeObject,
  keyOf,
  keyToString,
  NotImplemented,
  type ObjectKey,
  type Pod,
  pods,
  type Resource,
  StatusError,
} from '#harness';
import { Simulation, seededRandom } from '#harness/testing';

/** A request of a test. Only the object is necessary. */
export interface Sent extends Partial<Omit<AdmissionAttributes, 'warn' | 'annotate' | 'object'>> {
  readonly object?: unknown;
}

/** Attributes that record warnings and audit annotations. */
export type Recorded = AdmissionAttributes & {
  readonly warnings: string[];
  readonly annotations: Record<string, string>;
};

/** Returns the attributes of a create of a pod, with other fields as given. */
export function attributes(sent: Sent = {}): Recorded {
  const warnings: string[] = [];
  const annotations: Record<string, string> = {};
  const { object: given, ...rest } = sent;
  const object = given as KubeObject | undefined;
  return {
    operation: 'CREATE' as Operation,
    user: { name: 'jane', groups: ['system:authenticated'] },
    resource: pods as Resource,
    subresource: '',
    namespace: 'ns',
    name: object?.metadata?.name ?? '',
    options: {},
    dryRun: false,
    deadlineMs: START_MS + 60_000,
    ...rest,
    ...(object && { object }),
    warn: (text) => warnings.push(text),
    annotate: (key, value) => {
      annotations[key] = value;
    },
    warnings,
    annotations,
  };
}

/** When the clock of a test begins. */
export const START_MS = Date.UTC(2024, 3, 17);

/** A pod as a client sends it. */
export const pod = (spec: object = {}, metadata: object = {}): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'ns', labels: {}, ...metadata },
    spec,
  }) as unknown as Pod;

/** Returns a stored object of a resource. */
export const stored = <T extends KubeObject>(resource: Resource<T>, name: string, rest: object = {}): T => {
  const { metadata = {}, ...fields } = rest as { metadata?: object };
  return {
    apiVersion: resource.group ? `${resource.group}/${resource.version}` : resource.version,
    kind: resource.kind,
    metadata: {
      name,
      ...(resource.namespaced && { namespace: 'ns' }),
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: '2024-04-17T00:00:00Z',
      ...metadata,
    },
    ...fields,
  } as unknown as T;
};

export interface World {
  /** The objects in the storage. */
  readonly stored?: readonly KubeObject[];
  /** The objects that the apiserver has observed. @defaultValue those in the storage */
  readonly cached?: readonly KubeObject[];
  readonly webhooks?: AdmissionContext['webhooks'];
}

/** The context of an admission, with a storage that a test fills. */
export class TestApiserver {
  readonly simulation = new Simulation({ startMs: START_MS });
  readonly context: AdmissionContext;
  /** The reads from the storage: `get pods ns/p`. */
  readonly reads: string[] = [];
  readonly storage: Map<string, KubeObject>;

  constructor({ stored: objects = [], cached = objects, webhooks }: World = {}) {
    this.storage = new Map(objects.map((object) => [keyIn(object.kind, keyOf(object)), object]));
    const cache = new Map(cached.map((object) => [keyIn(object.kind, keyOf(object)), object]));
    if (webhooks) Object.assign(webhooks, { clock: this.simulation.clock });
    const client: Pick<Client, 'get' | 'list'> = {
      get: async <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) => {
        this.reads.push(`get ${resource.plural} ${keyToString(key)}`);
        const found = this.storage.get(keyIn(resource.kind, key));
        if (!found) throw errors.notFound(resource, key.name);
        return found as T;
      },
      list: async <T extends KubeObject>(
        resource: Resource<T>,
        { namespace }: { namespace?: string } = {},
      ) => {
        this.reads.push(`list ${resource.plural}`);
        return { items: inNamespace<T>(this.storage, resource, namespace) } as never;
      },
    };
    this.context = {
      clock: this.simulation.clock,
      random: seededRandom(1),
      cache: {
        get: (resource, key) => cache.get(keyIn(resource.kind, key)) as never,
        list: (resource, namespace) => inNamespace(cache, resource, namespace),
      },
      client: client as Client,
      setDefaults: (_, object) => object,
      decode: (_, object) => object as never,
      applyJsonPatch: applyPatch,
      webhooks: webhooks ?? { send: () => Promise.reject(new Error('no webhook exists')) },
    };
  }

  /** Lets clients write statuses, and returns the names of the written objects. The first writes conflict. */
  recordStatusWrites(conflicts = 0): readonly string[] {
    const writes: string[] = [];
    const client = this.context.client as { updateStatus: Client['updateStatus'] };
    client.updateStatus = async (resource, object) => {
      const { namespace = '', name = '' } = object.metadata;
      writes.push(name);
      if (writes.length <= conflicts) throw errors.conflict(resource, name, 'the object has been modified');
      const written = object as unknown as KubeObject;
      const next = `${Number(written.metadata.resourceVersion) + 1}`;
      const stored = { ...written, metadata: { ...written.metadata, resourceVersion: next } };
      this.storage.set(keyIn(resource.kind, { namespace, name }), stored);
      return stored as never;
    };
    return writes;
  }

  /** Returns the outcome of a request, after its waits on the clock. */
  async outcome<T>(act: () => Promise<T> | T): Promise<Outcome<T>> {
    let settled: Outcome<T> | undefined;
    const startMs = this.simulation.elapsedMs;
    const ended = (outcome: Omit<Outcome<T>, 'afterMs'>): void => {
      settled = { ...outcome, afterMs: this.simulation.elapsedMs - startMs };
    };
    Promise.resolve()
      .then(act)
      .then(
        (value) => ended({ value }),
        (error: unknown) =>
          ended({ error: failureOf(error), ...(error instanceof NotImplemented && { todo: error }) }),
      );
    await this.simulation.run({ until: () => settled !== undefined });
    if (!settled) throw new Error('The call waits for an event that never happens.');
    if (settled.todo) throw settled.todo;
    return settled;
  }

  /** Returns the outcome of both phases. */
  async admitted(
    admission: Admission,
    request: AdmissionAttributes,
  ): Promise<Outcome<KubeObject | undefined>> {
    return this.outcome(async () => {
      const object = await admission.admit(request);
      await admission.validate(object ? { ...request, object } : request);
      return object;
    });
  }
}

export interface Outcome<T> {
  readonly value?: T;
  readonly error?: Failure;
  readonly todo?: NotImplemented;
  /** The virtual time that it took, in ms. */
  readonly afterMs: number;
}

export interface Failure {
  readonly message: string;
  readonly code?: number;
  readonly reason?: string;
  readonly causes?: unknown;
  readonly status?: string;
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof StatusError)) return { message: (error as Error).message };
  const { message, code, reason, details, status } = error.status;
  return { message, code, reason, status, ...(details?.causes && { causes: details.causes }) };
}

const keyIn = (kind: string, key: ObjectKey): string => `${kind} ${keyToString(key)}`;

function inNamespace<T extends KubeObject>(
  objects: ReadonlyMap<string, KubeObject>,
  { kind }: Resource<T>,
  namespace?: string,
): T[] {
  return [...objects.values()].filter(
    (object): object is T => object.kind === kind && (!namespace || object.metadata.namespace === namespace),
  );
}

/** Applies `add` and `replace` of one field. */
function applyPatch(object: object, patch: readonly unknown[]): object {
  const copy = structuredClone(object) as Record<string, unknown>;
  for (const { op, path, value } of patch as { op: string; path: string; value: unknown }[]) {
    const keys = path.split('/').slice(1);
    const last = keys.pop() ?? '';
    let target = copy;
    for (const key of keys) {
      const next = target[key.replaceAll('~1', '/')];
      if (typeof next !== 'object' || next === null)
        throw new Error(`${op} operation does not apply: doc is missing path: ${path}`);
      target = next as Record<string, unknown>;
    }
    if (op === 'remove') delete target[last.replaceAll('~1', '/')];
    else target[last.replaceAll('~1', '/')] = value;
  }
  return copy;
}

/** Returns a LimitRange with these items. */
export const limitRange = (limits: readonly core.LimitRangeItem[]): LimitRange =>
  stored({ ...LIMIT_RANGES } as Resource<LimitRange>, 'limits', { spec: { limits } });

const LIMIT_RANGES = {
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  namespaced: true,
};

/** The rule of a webhook for all requests about pods. */
export const allPods: NonNullable<Hook['rules']>[number] = {
  operations: ['*'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['pods'],
};

/** Returns a webhook for all pods, with other fields as given. */
export const hook = (rest: Partial<Hook> = {}): Hook => ({
  name: 'hook.example.com',
  uid: 'config/hook.example.com/0',
  clientConfig: { service: { namespace: 'ns', name: rest.name ?? 'hook.example.com' } },
  rules: [allPods],
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...rest,
});

/** How a webhook behaves. */
export interface Script {
  /** Its answer. The uid is that of the question. */
  readonly response?: Partial<WebhookResponse>;
  /** It answers after this time. @defaultValue 0 */
  readonly afterMs?: number;
  /** It never answers. */
  readonly hangs?: boolean;
  /** The call fails, with this reason. */
  readonly fails?: string;
}

export type Scripts = { readonly [name: string]: Script };

/** A webhook that answers. */
export const answering = (response: Partial<WebhookResponse>): Script => ({ response });

/** A webhook that sets a label. */
export const labelling = (key: string, value: string): Script => {
  const patch = btoa(JSON.stringify([{ op: 'add', path: `/metadata/labels/${key}`, value }]));
  return answering({ allowed: true, patch, patchType: 'JSONPatch' });
};

interface SentReview {
  readonly review: AdmissionReview;
  readonly timeoutSeconds: number;
  isAborted(): boolean;
}

/** A transport to scripted webhooks, which records their calls. The service of a webhook has its name. */
export interface ScriptedWebhooks extends WebhookTransport {
  readonly sent: readonly SentReview[];
  readonly called: readonly string[];
  clock?: Clock;
}

const forever = new Promise<never>(() => {});

/** Waits like a real transport: until the signal is aborted, at most. */
function untilAborted(signal: AbortSignal, wait: Promise<void> | undefined): Promise<void> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([wait, aborted]);
}

/** @param scriptOf returns the script of a webhook, by its name */
export function scripted(scriptOf: (name: string) => Script): ScriptedWebhooks {
  const sent: SentReview[] = [];
  const called: string[] = [];
  const transport: ScriptedWebhooks = {
    sent,
    called,
    async send(config, review, { timeoutSeconds, signal }) {
      const name = config.service?.name ?? '';
      called.push(name);
      sent.push({ review, timeoutSeconds, isAborted: () => signal.aborted });
      const { hangs, fails, response, afterMs } = scriptOf(name);
      if (hangs || afterMs)
        await untilAborted(signal, hangs ? forever : transport.clock?.sleep(afterMs ?? 0));
      if (fails) throw new Error(fails);
      return {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid: review.request?.uid, ...response },
      };
    },
  };
  return transport;
}
