/** Mistakes of level 1 · Name, and whether the node takes pods. */
import type { Mistake } from '#harness/testing';

/** Level 1 · Name, and whether the node takes pods. */
export const level1: readonly Mistake[] = [
  {
    id: 'name-is-no-demand',
    why: 'A pod that names its node is sent anywhere.',
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
    why: 'A cordoned node takes no pod, not even those that say that they do not mind, such as the pods of a DaemonSet.',
    origin: 'common',
    law: 'Level 1',
    edits: [['node.spec.unschedulable && !toleratesCordon(pod) ?', 'node.spec.unschedulable && pod ?']],
  },
  {
    id: 'cordon-is-a-taint',
    why: 'It looks at the taint that a controller sets some time after the node was cordoned, and not at the field.',
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
    why: 'A toleration without an effect is for every effect, and here it is for none.',
    origin: 'common',
    law: 'Agrees',
    edits: [['if (effect && effect !== taint.effect)', 'if (effect !== taint.effect)']],
  },
  {
    id: 'key-must-be-said',
    why: 'A toleration without a key tolerates everything, and here it tolerates nothing.',
    origin: 'common',
    law: 'Level 1',
    edits: [['if (key && key !== taint.key)', 'if (key !== taint.key)']],
  },
  {
    id: 'exists-unless-told',
    why: 'A toleration without an operator compares values, and here it does not.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      ["if (operator === 'Exists') return true;", "if (!operator || operator === 'Exists') return true;"],
    ],
  },
  {
    id: 'exists-wants-no-value',
    why: 'Exists means every value, also where the toleration names one, and here it means the one named.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'An apiserver refuses a toleration with Exists and a value.',
    edits: [
      [
        "if (operator === 'Exists') return true;",
        "if (operator === 'Exists') return value === '' || value === taint.value;",
      ],
    ],
  },
  {
    id: 'no-key-wants-exists',
    why: 'A toleration without a key is for every key. The server wants Exists with it, and a filter does not ask.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'An apiserver refuses a toleration without a key that does not say Exists.',
    edits: [['if (key && key !== taint.key)', "if (key ? key !== taint.key : operator !== 'Exists')"]],
  },
];
