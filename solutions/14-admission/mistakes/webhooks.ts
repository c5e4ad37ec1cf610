import type { Mistake } from '#harness/testing';

/** Mistakes of the calls of webhooks and their answers. */
export const webhooks: readonly Mistake[] = [
  {
    id: 'raw-failure',
    why: 'The client gets an error that is no Status, which the server can only report as a bug.',
    origin: 'common',
    law: 'Answers',
    edits: [
      [
        "if (hook.failurePolicy !== 'Ignore') throw failedCalling(hook.name, error);",
        "if (hook.failurePolicy !== 'Ignore') throw error;",
      ],
    ],
  },
  {
    id: 'any-uid',
    why: 'An answer to another review counts.',
    misconception: 'You seem to believe that an answer always belongs to your question.',
    origin: 'common',
    law: 'Failure policy',
    edits: [['response.uid !== uid', 'response.uid === undefined']],
  },
  {
    id: 'any-kind',
    why: 'An answer of another kind counts.',
    origin: 'common',
    law: 'Failure policy',
    edits: [['apiVersion !== VERSION || kind !== KIND', 'apiVersion === KIND || kind === VERSION']],
  },
  {
    id: 'any-patch',
    why: 'A patch without a type counts as an answer.',
    origin: 'common',
    law: 'Failure policy',
    edits: [[': patchProblem(response, phase);', ': undefined;']],
  },
  {
    id: 'validates-with-a-patch',
    why: 'The patch of a validating webhook is dropped without a word.',
    origin: 'common',
    law: 'Failure policy',
    edits: [[': patchProblem(response, phase);', ": patchProblem(response, 'mutating');"]],
  },
  {
    id: 'silence-is-consent',
    why: 'A review without a response allows the request.',
    misconception: 'You seem to believe that a webhook without objections agrees.',
    origin: 'common',
    law: 'Failure policy',
    edits: [['if (why || !response) throw', 'if (!response) return { allowed: true };\n  if (why) throw']],
  },
  {
    id: 'side-effects-in-a-dry-run',
    why: 'A dry run calls a webhook that writes.',
    misconception: 'You seem to believe that a question changes nothing.',
    origin: 'common',
    law: 'Dry run',
    edits: [
      [
        'if (attributes.dryRun && hasSideEffects) throw dryRunUnsupported(hook.name);',
        'if (attributes.dryRun && hasSideEffects && !context) throw dryRunUnsupported(hook.name);',
      ],
    ],
  },
  {
    id: 'unknown-is-none',
    why: 'Unknown side effects count as none.',
    misconception: 'You seem to believe that a webhook has no side effects if it names none.',
    origin: 'common',
    law: 'Dry run',
    edits: [
      [
        "const hasSideEffects = hook.sideEffects !== 'None' && hook.sideEffects !== 'NoneOnDryRun';",
        "const hasSideEffects = hook.sideEffects === 'Some';",
      ],
    ],
  },
  {
    id: 'none-on-dry-run',
    why: 'A webhook without side effects in dry runs is not called in them.',
    misconception: 'You seem to believe that a dry run needs no answer.',
    origin: 'common',
    law: 'Called rightly',
    edits: [
      [
        "const hasSideEffects = hook.sideEffects !== 'None' && hook.sideEffects !== 'NoneOnDryRun';",
        "const hasSideEffects = hook.sideEffects !== 'None';",
      ],
    ],
  },
  {
    id: 'own-time',
    why: 'Webhooks that hang add up to more than the time of the request.',
    misconception: 'You seem to look at the time limit of each webhook alone.',
    origin: 'kubernetes/kubernetes#71508',
    law: 'On time',
    edits: [
      [
        'Math.min(ownMs, attributes.deadlineMs - context.clock.now())',
        'Math.min(ownMs, attributes.deadlineMs)',
      ],
    ],
  },
  {
    id: 'ten-seconds',
    why: 'Every webhook has ten seconds.',
    origin: 'common',
    law: 'On time',
    edits: [['(hook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000', 'DEFAULT_TIMEOUT_SECONDS * 1_000']],
  },
  {
    id: 'warnings-lost',
    why: 'The client does not see the warnings of webhooks.',
    misconception: 'You seem to believe that an answer is a yes or a no.',
    origin: 'common',
    law: 'Warns',
    edits: [['  noteAnswer(attributes, hook, response);\n', '']],
  },
  {
    id: 'refuses-without-warnings',
    why: 'The client does not see the warnings of a webhook that refuses.',
    misconception: 'You seem to believe that a refusal says everything.',
    origin: 'common',
    law: 'Warns',
    edits: [
      [
        '  noteAnswer(attributes, hook, response);\n',
        '  if (response.allowed) noteAnswer(attributes, hook, response);\n',
      ],
    ],
  },
  {
    id: 'refusal-is-failure',
    why: 'A refusal becomes a 500.',
    misconception: 'You seem to believe that a refusal is a fault of the webhook.',
    origin: 'common',
    law: 'Refusals count',
    edits: [
      [
        'if (!response.allowed) throw deniedBy(hook.name, response.status);',
        "if (!response.allowed) throw new CallFailure('denied');",
      ],
    ],
  },
  {
    id: 'ignores-refusals',
    why: 'The failure policy Ignore ignores refusals, too.',
    misconception: 'You seem to treat an answer that you do not like as no answer.',
    origin: 'common',
    law: 'Refusals count',
    edits: [
      [
        'if (!(error instanceof CallFailure)) throw error;',
        "if (!(error instanceof CallFailure) && hook.failurePolicy !== 'Ignore') throw error;\n  if (!(error instanceof CallFailure)) return;",
      ],
    ],
  },
  {
    id: 'never-ignores',
    why: 'The failure policy Ignore has no effect.',
    origin: 'common',
    law: 'Failure policy',
    edits: [
      [
        "if (hook.failurePolicy !== 'Ignore') throw failedCalling(hook.name, error);",
        'throw failedCalling(hook.name, error);',
      ],
    ],
  },
  {
    id: 'fails-open',
    why: 'A webhook that cannot be reached lets everything pass.',
    origin: 'common',
    law: 'Failure policy',
    edits: [
      [
        "if (hook.failurePolicy !== 'Ignore') throw failedCalling(hook.name, error);",
        "if (hook.failurePolicy === 'Closed') throw failedCalling(hook.name, error);",
      ],
    ],
  },
  {
    id: 'goes-on-after-the-end',
    why: 'A request goes on although its time is over.',
    misconception: 'You seem to believe that only webhooks have a time limit.',
    origin: 'kubernetes/kubernetes#128162',
    law: 'On time',
    edits: [["if (phase === 'mutating' && isOutOfTime) throw requestTimeout();", '']],
  },
  {
    id: 'validates-after-the-end',
    why: 'A request whose time is over passes if its validating webhooks may fail.',
    misconception: 'You seem to believe that a request begins each phase in time.',
    origin: 'common',
    law: 'On time',
    edits: [['if (!hasTimeLeft(attributes, context)) throw requestTimeout();', '']],
  },
  {
    id: 'original-for-all',
    why: 'Every webhook sees the object of the client, and the last patch wins.',
    misconception: 'You seem to believe that webhooks do not depend on each other.',
    origin: 'common',
    law: 'In turn',
    edits: [
      [
        "await callWebhook(hook, current, invocation, 'mutating', context);",
        "await callWebhook(hook, attributes, invocation, 'mutating', context);",
      ],
    ],
  },
  {
    id: 'matches-the-original',
    why: 'A webhook is chosen by the labels of the client, although another one has changed them.',
    misconception: 'You seem to believe that a webhook is chosen by the object that the client sent.',
    origin: 'common',
    law: 'Called rightly',
    isFirstDraft: true,
    edits: [
      [
        'await invocationOf(hook, current, namespaceLabels(current, context));',
        'await invocationOf(hook, attributes, namespaceLabels(current, context));',
      ],
    ],
  },
  {
    id: 'no-defaults',
    why: 'A webhook removes a field with a default, and the object is stored without it.',
    misconception: 'You seem to believe that an object keeps its defaults once it has them.',
    origin: 'kubernetes/kubernetes#58025',
    law: 'In turn',
    edits: [['withObject(current, withDefaults(current, patched, context))', 'withObject(current, patched)']],
  },
  {
    id: 'reinvokes-all',
    why: 'A webhook with the policy Never is called again.',
    misconception: 'You seem to believe that every webhook wants to see each change.',
    origin: 'common',
    law: 'Reinvoked once',
    edits: [["if (hook.reinvocationPolicy === 'IfNeeded') reinvocation", 'reinvocation']],
  },
  {
    id: 'first-call-second-round',
    why: 'A webhook that did not match at first is called in the second round.',
    misconception: 'You seem to believe that the second run is like the first one.',
    origin: 'common',
    law: 'Reinvoked once',
    edits: [
      [
        'if (reinvocation.isSecond && !reinvocation.again.has(hook.uid)) continue;',
        "if (reinvocation.isSecond && !reinvocation.again.has(hook.uid) && hook.reinvocationPolicy !== 'IfNeeded') continue;",
      ],
    ],
  },
  {
    id: 'no-change-counts',
    why: 'A patch that changes nothing causes a second round.',
    misconception: 'You seem to believe that a patch always changes something.',
    origin: 'common',
    law: 'Reinvoked once',
    edits: [['if (patched && !semanticEqual(current.object, patched)) {', 'if (patched) {']],
  },
  {
    id: 'own-change-counts',
    why: 'A webhook is called again because of its own patch.',
    misconception: 'You seem to believe that a webhook wants to see its own change.',
    origin: 'common',
    law: 'Reinvoked once',
    edits: [
      [
        '      callAgain(reinvocation);\n      reinvocation.needed = true;',
        "      if (hook.reinvocationPolicy === 'IfNeeded') reinvocation.eligible.add(hook.uid);\n      callAgain(reinvocation);\n      reinvocation.needed = true;",
      ],
    ],
  },
  {
    id: 'plugins-change-nothing',
    why: 'A webhook does not see the sidecar with its token, because only changes of webhooks count.',
    misconception: 'You seem to believe that only webhooks change an object in the second run.',
    origin: 'common',
    law: 'Reinvoked once',
    edits: [
      [
        'if (reinvocation.isSecond && !semanticEqual(reinvocation.lastOutput, current.object)) {',
        'if (reinvocation.isSecond && !reinvocation.lastOutput) {',
      ],
    ],
  },
  {
    id: 'one-at-a-time',
    why: 'Validating webhooks wait for each other.',
    misconception: 'You seem to believe that all webhooks depend on each other.',
    origin: 'common',
    law: 'All asked',
    edits: [
      [
        '  await Promise.all(\n    calls.map(async ([hook, invocation], index) => {',
        '  let last = Promise.resolve();\n  await Promise.all(\n    calls.map(async ([hook, invocation], index) => {\n      const before = last;\n      let done = (): void => {};\n      last = new Promise((resolve) => {\n        done = resolve;\n      });\n      await before;',
      ],
      [
        "await callWebhook(hook, attributes, invocation, 'validating', context);",
        "await callWebhook(hook, attributes, invocation, 'validating', context).finally(done);",
      ],
    ],
  },
  {
    id: 'first-refusal-stops',
    why: 'After a refusal the other validating webhooks are not called.',
    misconception: 'You seem to believe that one refusal makes the other answers useless.',
    origin: 'common',
    law: 'All asked',
    edits: [
      [
        '  await Promise.all(\n    calls.map(async ([hook, invocation], index) => {',
        '  for (const [index, [hook, invocation]] of calls.entries()) {\n    if (refusals.length > 0) break;\n    await (async () => {',
      ],
      [
        '        } catch (refusal) {\n          refusals.push(refusal);\n        }\n      }\n    }),\n  );',
        '        } catch (refusal) {\n          refusals.push(refusal);\n        }\n      }\n    })();\n  }',
      ],
    ],
  },
  {
    id: 'majority',
    why: 'One webhook that agrees is enough.',
    misconception: 'You seem to believe that one consent is enough.',
    origin: 'common',
    law: 'Refusals count',
    edits: [
      [
        'if (refusals.length > 0) throw refusals[0];',
        'if (refusals.length === calls.length) throw refusals[0];',
      ],
    ],
  },
  {
    id: 'validates-the-old',
    why: 'Validating webhooks see the stored object, not the new one.',
    misconception: 'You seem to believe that a check is about the object in the storage.',
    origin: 'kubernetes/kubernetes#100096',
    law: 'Final object',
    edits: [
      [
        "await callWebhook(hook, attributes, invocation, 'validating', context);",
        "await callWebhook(hook, attributes.oldObject && attributes.object ? { ...attributes, object: attributes.oldObject } : attributes, invocation, 'validating', context);",
      ],
    ],
  },
  {
    id: 'one-uid',
    why: 'All reviews have the same uid, so an answer can be taken for another one.',
    origin: 'common',
    law: 'Full reviews',
    edits: [['const uid = context.random.uuid();', "const uid = '11111111-2222-4333-8444-555555555555';"]],
  },
  {
    id: 'serious-dry-run',
    why: 'A webhook does not learn that a request is a dry run.',
    misconception: 'You seem to believe that only the apiserver must know of a dry run.',
    origin: 'common',
    law: 'Full reviews',
    edits: [
      [
        'const review = reviewFor(hook, attributes, invocation, uid);',
        'const review = reviewFor(hook, { ...attributes, dryRun: false }, invocation, uid);',
      ],
    ],
  },
];
