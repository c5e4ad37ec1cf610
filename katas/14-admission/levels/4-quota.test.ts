import { describe, expect, test } from 'vitest';
import { type QuotaRequest, type QuotaStore, Refusal, type ResourceQuota } from '#given/14-admission';
import { errors, namespaces, type Pod, serviceAccounts } from '#harness';
import { defineResource, named, ruleFor, vectors } from '#harness/testing';
import { chargeOf, newAdmission, reserve, withCharge } from '#kata/14-admission/admission';
import { attributes, pod, stored, TestApiserver } from './context.fixture.ts';

const quotas = defineResource<ResourceQuota>('v1', 'ResourceQuota', 'resourcequotas');

type List = Readonly<Record<string, string>>;

const quotaOf = (hard: List, used: List, rest: object = {}): ResourceQuota =>
  stored(quotas, 'quota', { spec: { hard }, status: { hard, used }, ...rest });

const request = (usage: List, rest: Partial<QuotaRequest> = {}): QuotaRequest => ({
  usage,
  isCountedBy: () => true,
  wasCountedBy: () => true,
  refusal: () => undefined,
  dryRun: false,
  ...rest,
});

/** A store whose writes conflict as often as given. */
class TestStore implements QuotaStore {
  readonly writes: string[] = [];
  readonly rereads: (readonly string[])[] = [];
  #conflicts: number;
  #quotas: readonly ResourceQuota[];
  readonly #conflicting: string | undefined;

  constructor(all: readonly ResourceQuota[], conflicts = 0, conflicting?: string) {
    this.#quotas = all;
    this.#conflicts = conflicts;
    this.#conflicting = conflicting;
  }

  /** Another client changes the quotas before each failed write. */
  whileConflicting = (all: readonly ResourceQuota[]): readonly ResourceQuota[] => all;

  usedBy(name: string): unknown {
    return this.#quotas.find(({ metadata }) => metadata.name === name)?.status.used;
  }

  list = async () => this.#quotas;

  reread = async (names: readonly string[]) => {
    this.rereads.push(names);
    return this.#quotas.filter(({ metadata }) => names.includes(metadata.name));
  };

  writeStatus = async (quota: ResourceQuota) => {
    const { name } = quota.metadata;
    this.writes.push(name);
    if (this.#conflicts > 0 && name === (this.#conflicting ?? name)) {
      this.#conflicts--;
      this.#quotas = this.whileConflicting(this.#quotas);
      if (!this.#quotas.some(({ metadata }) => metadata.name === name)) throw errors.notFound(quotas, name);
      throw errors.conflict(quotas, name, 'the object has been modified');
    }
    this.#quotas = this.#quotas.map((each) => (each.metadata.name === name ? quota : each));
  };
}

const server = new TestApiserver();
const outcomeOf = (act: () => unknown) => server.outcome(() => act() as Promise<unknown>);

describe('Level 4 · Quota', () => {
  test('A create is charged with its usage, as far as the quota limits it', () => {
    const quota = quotaOf({ pods: '9', 'requests.cpu': '1' }, {});
    expect(chargeOf(request({ pods: '1', 'requests.cpu': '0', 'requests.memory': '1Gi' }), quota)).toEqual({
      pods: '1',
    });
  });

  test('An update is charged with the difference, and never with less than nothing', () => {
    const quota = quotaOf({ 'requests.cpu': '1', 'requests.memory': '9Gi' }, {});
    const update = request(
      { 'requests.cpu': '600m', 'requests.memory': '1Gi' },
      { oldUsage: { 'requests.cpu': '500m', 'requests.memory': '2Gi' } },
    );
    expect(chargeOf(update, quota)).toEqual({ 'requests.cpu': '100m' });
  });

  test('An update that moves an object into the scope of a quota is charged in full', () => {
    const moved = request({ pods: '1' }, { oldUsage: { pods: '1' }, wasCountedBy: () => false });
    expect(chargeOf(moved, quotaOf({ pods: '2' }, {}))).toEqual({ pods: '1' });
  });

  test('withCharge adds to the usage in the status', () => {
    const charged = withCharge(quotaOf({ pods: '2', secrets: '1' }, { pods: '1', secrets: '1' }), {
      pods: '1',
    });
    expect(charged.status.used).toEqual({ pods: '2', secrets: '1' });
  });

  test('withCharge keeps all other fields of the quota', () => {
    const quota = quotaOf({ pods: '2' }, { pods: '1' });
    const given = { ...quota, status: { ...quota.status, conditions: [] } } as ResourceQuota;
    expect(withCharge(given, { pods: '1' })).toEqual({
      ...given,
      status: { ...given.status, used: { pods: '2' } },
    });
  });

  test('withCharge refuses what exceeds the limit, and names only that', async () => {
    const quota = quotaOf({ pods: '9', 'requests.cpu': '1' }, { pods: '1', 'requests.cpu': '900m' });
    const { error } = await outcomeOf(() => withCharge(quota, { pods: '1', 'requests.cpu': '200m' }));
    expect(error?.message).toBe(
      'exceeded quota: quota, requested: requests.cpu=200m, used: requests.cpu=900m, limited: requests.cpu=1',
    );
  });

  test('withCharge ignores a resource that is above its limit already, if the charge does not add to it', () => {
    const quota = quotaOf({ pods: '9', 'requests.cpu': '1' }, { pods: '1', 'requests.cpu': '3' });
    expect(withCharge(quota, { pods: '1' }).status.used).toEqual({ pods: '2', 'requests.cpu': '3' });
  });

  test('withCharge returns the quota itself without a charge', () => {
    const quota = quotaOf({ pods: '1' }, { pods: '1' });
    expect(withCharge(quota, {})).toBe(quota);
  });

  test('reserve writes only the quotas that change', async () => {
    const other = quotaOf({ secrets: '1' }, { secrets: '0' });
    const store = new TestStore([
      quotaOf({ pods: '2' }, { pods: '1' }),
      { ...other, metadata: { ...other.metadata, name: 'other' } },
    ]);
    await outcomeOf(() => reserve(request({ pods: '1' }), store));
    expect([store.writes, store.usedBy('quota')]).toEqual([['quota'], { pods: '2' }]);
  });

  const named_ = (name: string): ResourceQuota => {
    const quota = quotaOf({ pods: '9' }, { pods: '1' });
    return { ...quota, metadata: { ...quota.metadata, name } };
  };

  test('reserve tries only the quota with the conflict again', async () => {
    const store = new TestStore([named_('a'), named_('b'), named_('c')], 1, 'b');
    await outcomeOf(() => reserve(request({ pods: '1' }), store));
    expect([store.writes, store.rereads]).toEqual([['a', 'b', 'c', 'b'], [['b']]]);
    expect(['a', 'b', 'c'].map((name) => store.usedBy(name))).toEqual([
      { pods: '2' },
      { pods: '2' },
      { pods: '2' },
    ]);
  });

  test('reserve ignores a quota that is deleted between its read and its write', async () => {
    const store = new TestStore([named_('a'), named_('b')], 1, 'a');
    store.whileConflicting = (all) => all.filter(({ metadata }) => metadata.name !== 'a');
    const { error } = await outcomeOf(() => reserve(request({ pods: '1' }), store));
    expect(error).toBeUndefined();
    expect([store.writes, store.usedBy('b')]).toEqual([['a', 'b'], { pods: '2' }]);
  });

  test('After a conflict, reserve checks the quota as it is now', async () => {
    const changing = (): TestStore => {
      const store = new TestStore([named_('a')], 1);
      store.whileConflicting = (all) => all.map((each) => ({ ...each, spec: { hard: { secrets: '1' } } }));
      return store;
    };
    const isOld = ({ spec }: ResourceQuota): boolean => spec.hard?.pods !== undefined;
    const refusing = changing();
    const refusal = (quota: ResourceQuota) => (isOld(quota) ? undefined : 'failed quota: a: no');
    const { error } = await outcomeOf(() => reserve(request({ pods: '1' }, { refusal }), refusing));
    expect([error?.message, refusing.writes]).toEqual(['failed quota: a: no', ['a']]);
    const uncounted = changing();
    await outcomeOf(() => reserve(request({ pods: '1' }, { isCountedBy: isOld }), uncounted));
    expect(uncounted.writes).toEqual(['a']);
  });

  test('reserve writes a quota at most 4 times, then throws the last error', async () => {
    const store = new TestStore([named_('a'), named_('b')], 8);
    const { error } = await outcomeOf(() => reserve(request({ pods: '1' }), store));
    expect(store.writes.join('')).toBe('abababab');
    expect([error?.code, error?.message]).toEqual([409, expect.stringContaining('"b"')]);
  });

  test('reserve asks each quota for a refusal, before it writes', async () => {
    const store = new TestStore([quotaOf({ pods: '2' }, { pods: '1' })]);
    const { error } = await outcomeOf(() =>
      reserve(
        request({ pods: '1' }, { refusal: ({ metadata }) => `failed quota: ${metadata.name}: no` }),
        store,
      ),
    );
    expect([error?.message, store.writes]).toEqual(['failed quota: quota: no', []]);
  });

  test('reserve refuses with a Refusal, so that the client gets a 403', async () => {
    const store = new TestStore([quotaOf({ pods: '1' }, { pods: '1' })]);
    await expect(reserve(request({ pods: '1' }), store)).rejects.toBeInstanceOf(Refusal);
  });

  interface Input {
    readonly quotas: readonly { name: string; hard: List; used: List; spec?: List; scopes?: string[] }[];
    readonly operation: 'CREATE' | 'UPDATE';
    readonly dryRun?: boolean;
    readonly conflicts?: number;
    readonly object: { readonly requests: List; readonly container?: string };
    readonly old?: { readonly requests: List };
  }

  interface Expected {
    readonly error?: string;
    readonly code?: number;
    readonly used?: readonly List[];
    readonly written?: boolean;
    readonly writes?: number;
  }

  test.each(named(vectors<Input, Expected>('quota-admission', 'reserve', 16)))(
    'The apiserver agrees with upstream: %s',
    async (_, { input, expect: expected }) => {
      const objects = input.quotas.map(({ name, hard, used, spec = hard, scopes }) =>
        stored(quotas, name, { spec: { hard: spec, ...(scopes && { scopes }) }, status: { hard, used } }),
      );
      const active = stored(namespaces, 'ns', { status: { phase: 'Active' } });
      const api = new TestApiserver({ stored: [active, stored(serviceAccounts, 'default'), ...objects] });
      const writes = api.recordStatusWrites(input.conflicts);
      const isUpdate = input.operation === 'UPDATE';
      const object = podOf(input.object.requests, input.object.container);
      // A pod's resources cannot change, but its scope can.
      const old = input.old && podOf(input.old.requests, undefined, 60);
      const { error } = await api.outcome(() =>
        newAdmission(api.context).validate(
          attributes({
            operation: input.operation,
            object,
            name: 'p',
            dryRun: input.dryRun ?? false,
            ...(isUpdate && { oldObject: old }),
          }),
        ),
      );
      const rule = (text: string) => ruleFor(text, input);
      if (expected.error)
        expect(error?.message, rule('is refused')).toBe(`pods "p" is forbidden: ${expected.error}`);
      else if (expected.code) expect(error?.code, rule('fails')).toBe(expected.code);
      else expect(error, rule('is allowed')).toBeUndefined();
      const used = input.quotas.map(
        ({ name }) => (api.storage.get(`ResourceQuota ns/${name}`) as ResourceQuota).status.used,
      );
      if (expected.used) expect(used, rule('the usage afterwards')).toEqual(expected.used);
      if (expected.written === false) expect(writes, rule('writes nothing')).toEqual([]);
      if (expected.writes) expect(writes, rule('the number of writes')).toHaveLength(expected.writes);
    },
  );
});

/** A complete pod with one container. */
function podOf(requests: List, container = 'c', activeDeadlineSeconds?: number): Pod {
  return pod({
    serviceAccountName: 'default',
    containers: [{ name: container, resources: { requests } }],
    ...(activeDeadlineSeconds && { activeDeadlineSeconds }),
  });
}
