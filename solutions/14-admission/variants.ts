/** Correct admissions with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'one class for webhooks, namespaces and quotas read from the storage; none of the functions of the levels',
    file: 'variants/free.ts',
    free: true,
    mutants: [
      {
        why: 'only the new object is looked at for its labels',
        like: 'slips-away',
        law: 'Called rightly',
        edits: [['[object, oldObject].some(', '[object ?? oldObject].some(']],
      },
      {
        why: 'a webhook is called in the second round although nothing changed since',
        like: 'reinvokes-all',
        law: 'Reinvoked once',
        edits: [["if (hook.reinvocationPolicy === 'IfNeeded') round", 'round']],
      },
      {
        why: 'the quota is charged by a dry run',
        like: 'dry-run-charges',
        law: 'Dry run',
        edits: [['    if (request.dryRun) return;\n', '']],
      },
      {
        why: 'a webhook may take longer than the request',
        like: 'own-time',
        law: 'On time',
        edits: [[', Math.max(0, now.deadlineMs - clock.now())', ', Math.max(0, now.deadlineMs)']],
      },
      {
        why: 'a request goes on after the last conflict of a quota',
        like: 'gives-in',
        law: 'Never under-counted',
        edits: [
          [
            "if (tries === 0 && failed?.status === 'rejected') throw failed.reason;",
            'if (tries === 0 && failed) return;',
          ],
        ],
      },
      {
        why: 'the warnings of a webhook that refuses are lost',
        like: 'refuses-without-warnings',
        law: 'Warns',
        edits: [
          [
            'for (const text of response.warnings ?? []) now.warn',
            'if (response.allowed) for (const text of response.warnings ?? []) now.warn',
          ],
        ],
      },
      {
        why: 'a request may begin to validate after its end',
        like: 'validates-after-the-end',
        law: 'On time',
        edits: [['    if (wanted.length > 0 && isOver) throw requestTimeout();\n', '']],
      },
      {
        why: 'a container gets the defaults of all items',
        like: 'defaults-of-any-type',
        law: 'Complete pods',
        edits: [["    if (type !== 'Container') continue;\n", '']],
      },
    ],
  },
  {
    id: 'looks-again',
    why: 'reads each namespace from the storage, like a plugin without a cache',
    free: true,
    edits: [
      [
        'return found && !isSuspect ? found : client.get',
        'return found && isSuspect ? client.get(namespaces, { name }) : client.get',
      ],
    ],
  },
  {
    id: 'checks-at-once',
    why: 'all plugins but the quota check at the same time, so webhooks are asked about requests that a plugin refuses',
    edits: [
      [
        `      for (const plugin of plugins) {
        if (plugin.operations.includes(attributes.operation)) await plugin.validate?.(attributes);
      }`,
        `      const all = plugins.filter(({ operations }) => operations.includes(attributes.operation));
      const last = all.at(-1);
      const checks = all.slice(0, -1);
      const done = await Promise.allSettled(checks.map((plugin) => plugin.validate?.(attributes)));
      for (const each of done) if (each.status === 'rejected') throw each.reason;
      await last?.validate?.(attributes);`,
      ],
    ],
  },
];
