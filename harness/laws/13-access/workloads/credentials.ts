import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import {
  type AccessScenario,
  AUDIENCES,
  type Caller,
  type CertificatePlan,
  type ConfigurationPlan,
  ISSUER,
  type ObjectPlan,
  type Operation,
  pathRequest,
  type Question,
  resourceRequest,
  type TokenPlan,
} from '../scenario/index.ts';
import { oneOf, plain, scenariosWith, someOf } from './arbitraries.ts';

const headers: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        oneOf('', ' '),
        oneOf('Bearer', 'bearer', 'bEARER', 'Bearer', 'Token', 'Basic', ''),
        oneOf(' ', ' ', '  ', ''),
        oneOf('jane-token', 'eve-token', 'known-token', 'root-token', 'nope', '{t1}', 'Jane-token', ''),
        oneOf('', '', ' more', ' '),
      )
      .map((parts) => parts.join('')),
  },
  {
    weight: 4,
    arbitrary: oneOf('Bearer jane-token', 'Bearer nope', 'Bearer {t1}', 'Bearer {t1}', 'Bearer known-token'),
  },
);

const certificates: fc.Arbitrary<CertificatePlan> = fc
  .record(
    {
      commonName: oneOf('jane', 'bob', 'jane', '', 'system:anonymous', 'system:serviceaccount:a:builder'),
      organizations: oneOf<readonly string[]>(
        [],
        ['dev'],
        ['dev', 'ops'],
        ['system:authenticated'],
        ['system:unauthenticated', 'dev'],
        ['system:masters'],
      ),
      uids: oneOf<readonly string[]>([], [], [], ['u-9'], ['u-9'], ['u-8', 'u-9'], ['']),
      flaw: oneOf(undefined, undefined, undefined, 'unknown authority', 'server only', 'not yet valid'),
      untilMs: oneOf(undefined, undefined, 1_000),
    },
    plain,
  )
  .map(
    ({ flaw, untilMs, ...plan }) =>
      ({ ...plan, ...(flaw && { flaw }), ...(untilMs && { untilMs }) }) as CertificatePlan,
  );

const credentials: fc.Arbitrary<Caller> = fc
  .record(
    {
      certificate: fc.oneof(
        { weight: 1, arbitrary: fc.constant(undefined) },
        { weight: 2, arbitrary: certificates },
      ),
      header: fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: headers }),
    },
    plain,
  )
  .map(({ certificate, header }) => ({
    ...(certificate && { certificate }),
    ...(header !== undefined && { header }),
  }));

const questions: fc.Arbitrary<Question> = oneOf(
  resourceRequest({ namespace: 'a', verb: 'list', path: '/api/v1/namespaces/a/pods' }),
  pathRequest('get', '/healthz'),
  pathRequest('get', '/healthz/etcd'),
  pathRequest('get', '/livez'),
);

const configurations: fc.Arbitrary<ConfigurationPlan> = fc
  .tuple(
    oneOf<ConfigurationPlan['anonymous']>(
      true,
      true,
      false,
      { paths: ['/healthz', '/livez'] },
      { paths: ['/livez'] },
    ),
    oneOf<ConfigurationPlan['authorizers']>(['RBAC'], ['Node', 'RBAC']),
  )
  .map(([anonymous, authorizers]) => ({ anonymous, authorizers }));

const make = (object: ObjectPlan): Operation => ({ act: 'make', object });
const builder: ObjectPlan = { kind: 'ServiceAccount', namespace: 'a', name: 'builder' };

/** Requests with all kinds of credentials. A certificate expires between two of them. */
const all: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    fc.array(fc.tuple(credentials, questions), { minLength: 2, maxLength: 10 }),
    oneOf<TokenPlan['flaw']>(undefined, 'foreign', 'forged'),
    oneOf<TokenPlan['laterSeconds']>({ nbf: 61 }, { nbf: 61 }, { nbf: 62 }),
  )
  .map(([requests, flaw, laterSeconds]) => {
    const asks = requests.map(([caller, question]): Operation => ({ act: 'ask', caller, question }));
    return [
      make(builder),
      { act: 'issue', token: 't1', plan: { ...tokenOf('builder'), ...(flaw && { flaw }) } },
      // The clock moves by one or two seconds.
      {
        act: 'issue',
        token: 'later',
        plan: { ...tokenOf('builder'), ...(laterSeconds && { laterSeconds }) },
      },
      ...asks,
      { act: 'clock', token: 'later', edge: 'nbf', offsetMs: 1 },
      ...asks,
      // Another time with the same token: nothing of the first answer has changed.
      ...asks.slice(0, 2),
    ];
  });

/** Requests without credentials for all paths, with each setting. */
const anonymous: fc.Arbitrary<readonly Operation[]> = fc
  .uniqueArray(questions, { minLength: 2, maxLength: 4 })
  .map((all) => all.map((question) => ({ act: 'ask', caller: {}, question })));

/** Requests with a single part of credentials, which is invalid. */
const invalid: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    fc.shuffledSubarray<Caller>(
      [
        { header: 'Bearer {t1}' },
        { header: 'Bearer {t2}' },
        { header: 'Bearer nope' },
        { header: 'Bearer  jane-token' },
        { certificate: { commonName: 'jane', organizations: [], flaw: 'unknown authority' } },
        { certificate: { commonName: 'jane', organizations: ['dev'], flaw: 'server only' } },
        { certificate: { commonName: '', organizations: [], flaw: 'not yet valid' } },
        { certificate: { commonName: 'jane', organizations: [], uids: ['u-8', 'u-9'] } },
        { certificate: { commonName: 'jane', organizations: [], uids: [''] } },
        { certificate: { commonName: '', organizations: ['dev'] }, header: 'Bearer nope' },
        { certificate: { commonName: '', organizations: ['dev'] } },
      ],
      { minLength: 6 },
    ),
    questions,
  )
  .map(([all, question]) => [
    make(builder),
    { act: 'issue', token: 't1', plan: { ...tokenOf('builder'), flaw: 'forged' } },
    { act: 'issue', token: 't2', plan: { ...tokenOf('builder'), flaw: 'foreign' } },
    ...all.map((caller): Operation => ({ act: 'ask', caller, question })),
  ]);

function tokenOf(account: string, bound?: TokenPlan['bound']): TokenPlan {
  return { namespace: 'a', account, audiences: [ISSUER], seconds: 600, ...(bound && { bound }) };
}

/** Milliseconds around an edge. */
const offsets = oneOf(-1_000, -1, 0, 1, 999, 1_000);
const asking = (token: string): Operation => ({
  act: 'ask',
  caller: { header: `Bearer {${token}}` },
  question: resourceRequest({ namespace: 'a', verb: 'list' }),
});

const boundTo: fc.Arbitrary<TokenPlan['bound']> = oneOf<TokenPlan['bound']>(
  undefined,
  { kind: 'Pod', name: 'web' },
  { kind: 'Pod', name: 'web' },
  { kind: 'Secret', name: 'key' },
  { kind: 'Node', name: 'n1' },
);

const objectOf = (bound: NonNullable<TokenPlan['bound']>, finalized: boolean): ObjectPlan => ({
  kind: bound.kind,
  ...(bound.kind !== 'Node' && { namespace: 'a' }),
  name: bound.name,
  ...(finalized && { finalized }),
  ...(bound.kind === 'Pod' && { account: 'builder', node: 'n1' }),
});

/** A token, the end of its account or of its object, and its edges. */
const ends: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    boundTo,
    oneOf<'remove' | 'remake' | 'vanish' | 'none'>('remove', 'remove', 'remake', 'vanish', 'none'),
    oneOf<'bound' | 'account' | 'node'>('bound', 'bound', 'account', 'node'),
    fc.boolean(),
    fc.boolean(),
    someOf<number>([-1_000, -1, 0, 1, 999, 1_000], 4),
  )
  .map(([bound, how, whose, finalized, isHeld, around]): readonly Operation[] => {
    const node: ObjectPlan = { kind: 'Node', name: 'n1' };
    const account = { ...builder, ...(finalized && { finalized }) };
    const object = bound && objectOf(bound, finalized);
    const victim = whose === 'node' ? node : whose === 'account' || !object ? account : object;
    return [
      ...(bound?.kind === 'Node' ? [] : [make(node)]),
      make(account),
      ...(object ? [make(object)] : []),
      { act: 'issue', token: 't1', plan: tokenOf('builder', bound) },
      asking('t1'),
      ...(isHeld ? [{ act: 'hold' } as const] : []),
      ...(how === 'none' ? [] : [{ act: how, object: victim } as const]),
      asking('t1'),
      ...around
        .toSorted((a, b) => a - b)
        .flatMap((offsetMs) => [
          { act: 'clock', token: 't1', edge: 'gone', offsetMs } as const,
          asking('t1'),
        ]),
      ...(isHeld ? [{ act: 'release' } as const, asking('t1')] : []),
      // An object of the same name.
      ...(how === 'remove' ? [{ act: 'remake', object: victim } as const, asking('t1')] : []),
    ];
  });

/** A token of an account or a pod that the cache has not observed. */
const atOnce: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(boundTo, fc.boolean(), fc.boolean())
  .map(([bound, isRemade, isHeldLate]) => {
    const object = bound && objectOf(bound, false);
    const all = [...(bound?.kind === 'Node' ? [] : [make({ kind: 'Node', name: 'n1' })])];
    return [
      ...all,
      ...(isHeldLate ? [make(builder), { act: 'hold' } as const] : [{ act: 'hold' } as const, make(builder)]),
      ...(object ? [make(object)] : []),
      { act: 'issue', token: 't1', plan: tokenOf('builder', bound) },
      asking('t1'),
      { act: 'release' },
      asking('t1'),
      ...(isRemade
        ? [
            { act: 'remake', object: object ?? builder } as const,
            { act: 'issue', token: 't2', plan: tokenOf('builder', bound) } as const,
            asking('t2'),
            asking('t1'),
          ]
        : []),
    ] as readonly Operation[];
  });

/** Tokens whose claims have no uid of the account or of the object, which may exist. */
const withoutUid: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(boundTo, oneOf<'account' | 'bound'>('account', 'bound'), oneOf(true, true, false))
  .map(([bound, which, exists]) => [
    make(builder),
    ...(bound && exists ? [make(objectOf(bound, false))] : []),
    { act: 'issue', token: 't1', plan: { ...tokenOf('builder', bound), withoutUid: which } },
    asking('t1'),
  ]);

/** Tokens at the edges of their time. */
const times: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    oneOf<'exp' | 'nbf' | 'iat'>('exp', 'nbf', 'iat'),
    fc.array(offsets, { minLength: 1, maxLength: 4 }),
    oneOf(600, 3_600),
    oneOf(61, 120),
  )
  .map(([edge, around, seconds, later]) => [
    make(builder),
    {
      act: 'issue',
      token: 't1',
      plan: {
        ...tokenOf('builder'),
        seconds,
        ...(edge !== 'exp' && { laterSeconds: { [edge]: later } }),
      },
    },
    asking('t1'),
    ...around
      .toSorted((a, b) => a - b)
      .flatMap((offsetMs): readonly Operation[] => [
        { act: 'clock', token: 't1', edge, offsetMs },
        asking('t1'),
      ]),
  ]);

const OTHER = 'https://vault.example.com';

/** Tokens for several audiences, requests with them, and reviews. */
const audiences: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    someOf([...AUDIENCES, OTHER]),
    fc.array(fc.tuple(someOf([...AUDIENCES, OTHER], 3), oneOf('{t1}', '{t1}', 'jane-token', 'nope')), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([own, reviews]) => [
    make(builder),
    { act: 'issue', token: 't1', plan: { ...tokenOf('builder'), audiences: own } },
    asking('t1'),
    ...reviews.map(([asked, header]): Operation => ({ act: 'review', header, audiences: asked })),
  ]);

/** The scenario classes about credentials. */
export const credentialWorkloads: readonly Workload<AccessScenario>[] = [
  { name: 'credentials', scenarios: scenariosWith(all, configurations), runs: 30 },
  { name: 'no credentials', scenarios: scenariosWith(anonymous, configurations), runs: 12 },
  { name: 'invalid credentials', scenarios: scenariosWith(invalid), runs: 10 },
  { name: 'the end of a token', scenarios: scenariosWith(ends), runs: 45 },
  { name: 'a new account', scenarios: scenariosWith(atOnce), runs: 10 },
  { name: 'a claim without a uid', scenarios: scenariosWith(withoutUid), runs: 8 },
  { name: 'the time of a token', scenarios: scenariosWith(times), runs: 15 },
  { name: 'audiences', scenarios: scenariosWith(audiences), runs: 15 },
];
