import { describe, expect, test } from 'vitest';
import { CallFailure, deniedBy, type Hook, type Invocation } from '#given/14-admission';
import { pods, StatusError } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { callWebhook, readAnswer, settleFailure } from '#kata/14-admission/admission';
import {
  answering,
  attributes,
  hook,
  pod,
  type Script,
  START_MS,
  scripted,
  TestApiserver,
} from './context.fixture.ts';

type Result = Parameters<typeof deniedBy>[1];

interface AnswerInput {
  readonly uid: string;
  readonly mutating: boolean;
  readonly review: unknown;
}

interface VerdictInput {
  readonly webhook: Partial<Hook> & { readonly dryRun?: boolean; readonly requestDeadlinePassed?: boolean };
  readonly outcome: { readonly failed?: string; readonly denied?: Result; readonly allowed?: boolean };
}

interface VerdictExpected {
  readonly allowed?: boolean;
  readonly called?: boolean;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}

const invocation: Invocation = { resource: pods };

const call = async (script: Script, of: Partial<Hook> = {}, request = attributes({ object: pod() })) => {
  const webhooks = scripted(() => script);
  const server = new TestApiserver({ webhooks });
  const outcome = await server.outcome(() =>
    callWebhook(hook(of), request, invocation, 'validating', server.context),
  );
  return { ...outcome, sent: webhooks.sent };
};

describe('Level 6 · The answer of a webhook', () => {
  test.each(
    named(
      vectors<AnswerInput, { error?: string; allowed?: boolean; patch?: string }>(
        'admission-response',
        'readReview',
        16,
      ),
    ),
  )('readAnswer agrees with upstream: %s', async (_, { input, expect: expected }) => {
    const server = new TestApiserver();
    const phase = input.mutating ? 'mutating' : 'validating';
    const { value, error } = await server.outcome(() => readAnswer(input.review, input.uid, phase));
    if (expected.error) expect(error?.message, ruleFor('is no answer', input)).toContain(expected.error);
    else expect(value, ruleFor('is an answer', input)).toMatchObject({ allowed: expected.allowed });
  });

  test('An unreadable answer is a CallFailure', () => {
    expect(() => readAnswer({}, '1', 'validating')).toThrow(CallFailure);
  });

  test.each(named(vectors<{ webhook: string; result?: Result }, object>('admission-response', 'denied', 14)))(
    'A refusal reaches the client as upstream: %s',
    async (_, { input, expect: expected }) => {
      const status = input.result;
      const script = answering({ allowed: false, ...(status && { status }) });
      expect((await call(script, { name: input.webhook })).error).toMatchObject(expected);
    },
  );

  test.each(named(vectors<VerdictInput, VerdictExpected>('admission-response', 'verdict', 7)))(
    'A call that fails or refuses ends as upstream: %s',
    async (_, { input, expect: expected }) => {
      const { dryRun = false, requestDeadlinePassed: isOutOfTime = false, ...rest } = input.webhook;
      const of = hook(rest);
      const server = new TestApiserver({ webhooks: scripted(() => answering({ allowed: true })) });
      const { failed, denied } = input.outcome;
      const { error } = await server.outcome(async () => {
        try {
          if (failed) throw new CallFailure(failed);
          if (denied) throw deniedBy(of.name, denied);
          const request = attributes({ object: pod(), dryRun });
          await callWebhook(of, request, invocation, 'mutating', server.context);
        } catch (failure) {
          settleFailure(failure, of, { phase: 'mutating', isOutOfTime });
        }
      });
      const { allowed, code, reason, message } = expected;
      if (allowed) expect(error, ruleFor('goes on', input)).toBeUndefined();
      else {
        expect(error, ruleFor('ends', input)).toMatchObject({ code, message, ...(reason && { reason }) });
      }
    },
  );

  test('The review has the object, the user and an own uid', async () => {
    const { sent } = await call(answering({ allowed: true }));
    expect(sent[0]?.review.request).toMatchObject({
      resource: { group: '', version: 'v1', resource: 'pods' },
      operation: 'CREATE',
      userInfo: { username: 'jane' },
      object: pod(),
      oldObject: null,
    });
    expect(sent[0]?.review.request?.uid).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('A refusal is an error, also if the webhook may fail', async () => {
    const { error } = await call(answering({ allowed: false }), { failurePolicy: 'Ignore' });
    expect(error).toMatchObject({
      code: 400,
      message: 'admission webhook "hook.example.com" denied the request without explanation',
    });
  });

  test('An answer without allowed is a refusal', async () => {
    expect((await call(answering({}))).error?.code).toBe(400);
  });

  test('Warnings and audit annotations reach the client and the audit log', async () => {
    const request = attributes({ object: pod() });
    const script = answering({ allowed: true, warnings: ['old'], auditAnnotations: { key: 'value' } });
    await call(script, {}, request);
    expect([request.warnings, request.annotations]).toEqual([['old'], { 'hook.example.com/key': 'value' }]);
  });

  test('They do so with a refusal, too', async () => {
    const request = attributes({ object: pod() });
    await call(answering({ allowed: false, warnings: ['old'] }), {}, request);
    expect(request.warnings).toEqual(['old']);
  });

  test('A webhook that hangs costs exactly its timeout', async () => {
    const { error, afterMs, sent } = await call({ hangs: true }, { timeoutSeconds: 3 });
    expect([error?.message, afterMs]).toEqual(['failed to call webhook: context deadline exceeded', 3_000]);
    expect([sent[0]?.timeoutSeconds, sent[0]?.isAborted()]).toEqual([3, true]);
  });

  test('The default timeout is 10 s', async () => {
    const { afterMs } = await call({ hangs: true });
    expect(afterMs).toBe(10_000);
  });

  test('A call never outlives its request', async () => {
    const request = attributes({ object: pod(), deadlineMs: START_MS + 2_500 });
    const { afterMs, sent } = await call({ hangs: true }, {}, request);
    expect([afterMs, sent[0]?.timeoutSeconds]).toEqual([2_500, 3]);
  });

  test('A webhook that answers in time leaves no timer behind', async () => {
    const server = new TestApiserver({ webhooks: scripted(() => answering({ allowed: true })) });
    await server.outcome(() =>
      callWebhook(hook(), attributes({ object: pod() }), invocation, 'validating', server.context),
    );
    expect(server.simulation.pending).toBe(0);
  });

  test('A failed call is a CallFailure, and names the reason', async () => {
    const webhooks = scripted(() => ({ fails: 'dial tcp 10.0.0.1:443: connect: connection refused' }));
    const server = new TestApiserver({ webhooks });
    const promise = callWebhook(
      hook(),
      attributes({ object: pod() }),
      invocation,
      'mutating',
      server.context,
    );
    await expect(promise).rejects.toEqual(
      new CallFailure('failed to call webhook: dial tcp 10.0.0.1:443: connect: connection refused'),
    );
  });

  test('A dry run does not call a webhook with side effects', async () => {
    const request = attributes({ object: pod(), dryRun: true });
    const { error, sent } = await call(answering({ allowed: true }), { sideEffects: 'Some' }, request);
    expect([error?.code, sent]).toEqual([400, []]);
  });

  test('settleFailure ends a request without a failure policy', () => {
    const { failurePolicy: _, ...bare } = hook();
    const options = { phase: 'validating', isOutOfTime: false } as const;
    expect(() => settleFailure(new CallFailure('failed'), bare, options)).toThrow(StatusError);
  });

  test('settleFailure ends a request only in the mutating phase for lack of time', () => {
    const ignoring = hook({ failurePolicy: 'Ignore' });
    const failure = new CallFailure('failed');
    expect(() => settleFailure(failure, ignoring, { phase: 'validating', isOutOfTime: true })).not.toThrow();
    expect(() => settleFailure(failure, ignoring, { phase: 'mutating', isOutOfTime: true })).toThrow(
      StatusError,
    );
  });
});
