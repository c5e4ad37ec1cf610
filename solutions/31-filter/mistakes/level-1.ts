/** Mistakes of level 1 · Name, and whether the node takes pods. */
import type { Mistake } from '#harness/testing';

/** Level 1 · Name, and whether the node takes pods. */
export const level1: readonly Mistake[] = [
  {
    id: 'name-is-no-demand',
    why: 'A pod with a node name is scheduled to any node.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'return spec.nodeName && spec.nodeName !== nodeInfo.name ? otherName',
        "return spec.nodeName === '' ? otherName",
      ],
    ],
  },
  {
    id: 'cordon-for-every-pod',
    why: 'A cordoned node takes no pods, not even those that tolerate it, such as the pods of a DaemonSet.',
    origin: 'common',
    law: 'Level 1',
    edits: [['node.spec.unschedulable && !toleratesCordon(pod) ?', 'node.spec.unschedulable && pod ?']],
  },
  {
    id: 'cordon-is-a-taint',
    why: 'It checks the taint that a controller adds some time after the cordon, not the field.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'return node.spec.unschedulable && !toleratesCordon(pod)',
        'return node.spec.taints?.some(({ key }) => key === cordoned.key) && !toleratesCordon(pod)',
      ],
    ],
  },
  {
    id: 'effect-must-be-said',
    why: 'A toleration without an effect applies to every effect, but here it applies to none.',
    origin: 'common',
    law: 'Agrees',
    edits: [['if (effect && effect !== taint.effect)', 'if (effect !== taint.effect)']],
  },
  {
    id: 'key-must-be-said',
    why: 'A toleration without a key tolerates every taint, but here it tolerates none.',
    origin: 'common',
    law: 'Level 1',
    edits: [['if (key && key !== taint.key)', 'if (key !== taint.key)']],
  },
  {
    id: 'exists-unless-told',
    why: 'A toleration without an operator compares values, but here it does not.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      ["if (operator === 'Exists') return true;", "if (!operator || operator === 'Exists') return true;"],
    ],
  },
  {
    id: 'exists-wants-no-value',
    why: 'Exists matches every value, even if the toleration has one, but here it matches only that value.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'The apiserver rejects a toleration with Exists and a value.',
    edits: [
      [
        "if (operator === 'Exists') return true;",
        "if (operator === 'Exists') return value === '' || value === taint.value;",
      ],
    ],
  },
  {
    id: 'no-key-wants-exists',
    why: 'A toleration without a key applies to every key. The apiserver requires Exists for it, but a filter must not check that.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'The apiserver rejects a toleration without a key and without Exists.',
    edits: [['if (key && key !== taint.key)', "if (key ? key !== taint.key : operator !== 'Exists')"]],
  },
];
