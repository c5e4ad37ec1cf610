import type { Mistake } from '#harness/testing';

const called = { origin: 'common', law: 'Called rightly' } as const;
const policy = { origin: 'common', law: 'Failure policy' } as const;

/** Mistakes of reviews and answers, and of their traces in the audit log. */
export const answers: readonly Mistake[] = [
  {
    id: 'only-all-subresources',
    why: '`pods/*` does not match pods, but `*/*` does.',
    misconception: 'You seem to believe that `pods/*` means the subresources of pods only.',
    ...called,
    edits: [
      [
        "(sub === '*' || sub === subresource);",
        "(sub === subresource || (sub === '*' && (plural === '*' || subresource !== '')));",
      ],
    ],
  },
  {
    id: 'uid-if-any',
    why: 'An answer without a uid counts.',
    misconception: 'You seem to believe that an absent field is right.',
    ...policy,
    edits: [['response.uid !== uid', '(response.uid !== undefined && response.uid !== uid)']],
  },
  {
    id: 'warns-of-nothing',
    why: 'The client gets the warnings of an answer that does not count.',
    origin: 'common',
    law: 'Warns',
    edits: [
      [
        'const response = readAnswer(await sendInTime(hook, review, timeoutMs, context), uid, phase);',
        'const answer = await sendInTime(hook, review, timeoutMs, context);\n  for (const text of (answer as { response?: Partial<WebhookResponse> } | null)?.response?.warnings ?? []) attributes.warn(text);\n  const response = { ...readAnswer(answer, uid, phase), warnings: [] };',
      ],
    ],
  },
  {
    id: 'no-annotations',
    why: 'The annotations of webhooks do not reach the audit log.',
    origin: 'common',
    law: 'Warns',
    edits: [
      [
        'noteAnswer(attributes, hook, response);',
        'noteAnswer(attributes, hook, { ...response, auditAnnotations: {} });',
      ],
    ],
  },
  {
    id: 'no-options',
    why: 'A webhook does not see the options of a request.',
    origin: 'common',
    law: 'Full reviews',
    edits: [
      [
        'reviewFor(hook, attributes, invocation, uid)',
        'reviewFor(hook, { ...attributes, options: {} }, invocation, uid)',
      ],
    ],
  },
  {
    id: 'no-extra',
    why: 'A webhook does not see the extra facts about a user.',
    origin: 'common',
    law: 'Full reviews',
    edits: [
      [
        'reviewFor(hook, attributes, invocation, uid)',
        'reviewFor(hook, { ...attributes, user: { ...attributes.user, extra: {} } }, invocation, uid)',
      ],
    ],
  },
  {
    id: 'opens-in-silence',
    why: 'Nobody can see that a mutating webhook failed and the request went on.',
    ...policy,
    edits: [
      [
        "      recordFailedOpen(current, hook, { phase: 'mutating', isSecond: reinvocation.isSecond, index });\n",
        '      void recordFailedOpen;\n      void index;\n',
      ],
    ],
  },
  {
    id: 'validates-in-silence',
    why: 'Nobody can see that a validating webhook failed and the request went on.',
    ...policy,
    edits: [
      [
        "          recordFailedOpen(attributes, hook, { phase: 'validating', index });\n",
        '          void index;\n',
      ],
    ],
  },
  {
    id: 'deletes-in-a-dry-run',
    why: 'The dry run of a delete calls a webhook with side effects.',
    misconception: 'You seem to believe that a delete has no object, and so no effects.',
    origin: 'common',
    law: 'Dry run',
    edits: [
      [
        'if (attributes.dryRun && hasSideEffects) throw',
        "if (attributes.dryRun && attributes.operation !== 'DELETE' && hasSideEffects) throw",
      ],
    ],
  },
  {
    id: 'no-version-is-final',
    why: 'A webhook that understands no known version of reviews stops requests although its policy is Ignore.',
    ...policy,
    edits: [
      [
        '  const review = reviewFor(',
        "  if (!hook.admissionReviewVersions.includes('v1')) throw dryRunUnsupported(hook.name);\n  const review = reviewFor(",
      ],
    ],
  },
  {
    id: 'ends-without-webhooks',
    why: 'A request that no webhook checks gets a 504.',
    origin: 'common',
    law: 'On time',
    edits: [['  if (calls.length === 0) return;\n', '']],
  },
  {
    id: 'breaks-the-circuit',
    why: 'A webhook that failed three times is never called again.',
    misconception: 'You seem to believe that a webhook that has failed will fail.',
    ...called,
    edits: [
      [
        '    if (!invocation) continue;\n',
        '    if (!invocation || (faults.get(context)?.get(hook.uid) ?? 0) >= 3) continue;\n',
      ],
      [
        "      recordFailedOpen(current, hook, { phase: 'mutating', isSecond: reinvocation.isSecond, index });\n",
        "      recordFailedOpen(current, hook, { phase: 'mutating', isSecond: reinvocation.isSecond, index });\n      const known = faults.get(context) ?? new Map<string, number>();\n      faults.set(context, known.set(hook.uid, (known.get(hook.uid) ?? 0) + 1));\n",
      ],
      [
        'export async function mutateByWebhooks(',
        'const faults = new WeakMap<object, Map<string, number>>();\n\nexport async function mutateByWebhooks(',
      ],
    ],
  },
];
