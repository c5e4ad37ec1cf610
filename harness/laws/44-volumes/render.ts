import { sayFault } from '../../faults/index.ts';
import { sayCircumstances, saySteps } from '../../testing/telling.ts';
import type { Step, VolumeScenario } from './scenario/index.ts';

/** Describes a scenario of the volume manager, one line per step. */
export function describeScenario(scenario: VolumeScenario): readonly string[] {
  return [
    ...sayCircumstances(scenario),
    ...sayIgnorance(scenario),
    ...saySteps(scenario.steps, sayStep),
    'then faults stop',
  ];
}

function sayIgnorance({ knowsAfterMs }: VolumeScenario): readonly string[] {
  return knowsAfterMs > 0 ? [`a kubelet that starts knows its pods after ${knowsAfterMs} ms`] : [];
}

const CLAIMS = {
  bound: 'the claim is bound to its volume',
  unbound: 'the claim is not bound',
  'of another claim': 'the volume of the claim belongs to another claim',
};

function sayStep(step: Step): string {
  if ('strike' in step) return sayFault(step.strike);
  switch (step.do) {
    case 'create':
      return `create pod ${step.pod} with ${step.volumes.join(', ')}`;
    case 'delete':
      return `delete pod ${step.pod}, whose containers stop after ${step.graceMs} ms`;
    case 'vanish':
      return `pod ${step.pod} and its containers disappear`;
    case 'restart':
      return `the container of ${step.pod} crashes`;
    case 'edit':
      return 'edit the config map';
    case 'recreate':
      return `delete and recreate the config map${step.immutable ? ', immutable' : ''}`;
    case 'drop':
      return 'delete the config map';
    case 'claim':
      return CLAIMS[step.is];
    case 'kill':
      return `the kubelet crashes, and restarts after ${step.awayMs} ms`;
    case 'reboot':
      return 'the machine loses power, and boots';
  }
}
