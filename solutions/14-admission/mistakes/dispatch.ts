import type { Mistake } from '#harness/testing';

/** Mistakes in the way from one webhook to the next. */
export const dispatch: readonly Mistake[] = [
  {
    id: 'leaves-early',
    why: 'The first refusal ends a request whose other webhooks still work on it.',
    misconception: 'You seem to believe that `Promise.all` waits for all promises.',
    origin: 'common',
    law: 'All asked',
    edits: [
      [
        '          refusals.push(refusal);\n',
        '          refusals.push(refusal);\n          throw refusal;\n',
      ],
    ],
  },
  {
    id: 'failure-is-no-call',
    why: 'A webhook whose failure was ignored is not called again, although the object has changed.',
    misconception: 'You seem to believe that a webhook without an answer was not called.',
    origin: 'common',
    law: 'Reinvoked once',
    edits: [
      [
        "recordFailedOpen(current, hook, { phase: 'mutating', isSecond: reinvocation.isSecond, index });",
        "recordFailedOpen(current, hook, { phase: 'mutating', isSecond: reinvocation.isSecond, index });\n      continue;",
      ],
    ],
  },
  {
    id: 'matches-while-calling',
    why: 'Some webhooks are called for a request that a missing namespace refuses.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        '    const invocation = await invocationOf(hook, attributes, namespaceLabels(attributes, context));\n    if (invocation) calls.push([hook, invocation]);',
        '    calls.push([hook, undefined as never]);',
      ],
      [
        'if (calls.length === 0) return;\n  if (!hasTimeLeft(attributes, context)) throw requestTimeout();\n  const refusals',
        'const refusals',
      ],
      [
        "        await callWebhook(hook, attributes, invocation, 'validating', context);",
        "        invocation = (await invocationOf(hook, attributes, namespaceLabels(attributes, context))) as Invocation;\n        if (!invocation) return;\n        if (!hasTimeLeft(attributes, context)) throw requestTimeout();\n        await callWebhook(hook, attributes, invocation, 'validating', context);",
      ],
    ],
  },
  {
    id: 'counts-the-called',
    why: 'The audit log has the position of a mutating webhook among the called ones.',
    origin: 'common',
    law: 'Failure policy',
    edits: [
      [
        '  for (const [index, hook] of hooks.entries()) {',
        '  let index = -1;\n  for (const hook of hooks) {',
      ],
      [
        'if (!invocation) continue;\n    if (reinvocation.isSecond',
        'if (!invocation) continue;\n    index++;\n    if (reinvocation.isSecond',
      ],
    ],
  },
  {
    id: 'always-round-0',
    why: 'The audit log shows a failed call of the second run as one of the first run.',
    origin: 'common',
    law: 'Failure policy',
    edits: [['isSecond: reinvocation.isSecond, index', 'isSecond: false, index']],
  },
  {
    id: 'counts-all-while-validating',
    why: 'The audit log has the position of a validating webhook among all webhooks.',
    origin: 'common',
    law: 'Failure policy',
    edits: [
      [
        "recordFailedOpen(attributes, hook, { phase: 'validating', index });",
        "recordFailedOpen(attributes, hook, { phase: 'validating', index: hooks.indexOf(hook) });",
      ],
    ],
  },
  {
    id: 'drops-equal-patches',
    why: 'The spelling of a webhook is lost if the value means the same to Kubernetes.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'The apiserver stores both spellings in the same form.',
    edits: [
      [
        'if (patched) current = withObject(',
        'if (patched && !semanticEqual(current.object, patched)) current = withObject(',
      ],
    ],
  },
  {
    id: 'namespaces-of-any-group',
    why: 'A custom resource with the name `namespaces` counts as cluster-scoped.',
    misconception: 'You seem to believe that a plural identifies a resource.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'No cluster of this workbook has a second resource with this name.',
    edits: [
      ["!(resource.group === '' && resource.plural === 'namespaces')", "resource.plural !== 'namespaces'"],
    ],
  },
];
