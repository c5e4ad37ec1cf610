import { sayCircumstances, saySteps } from '../../../testing/telling.ts';
import type { ApplyRecord } from '../history.ts';
import { nameOf } from '../history.ts';
import type {
  Act,
  ApplyPlan,
  ApplyScenario,
  DocumentPlan,
  Interruption,
  ObjectPlan,
  RequestFault,
} from '../scenario/index.ts';
import { kinds } from '../scenario/kinds.ts';
import { manifestOf } from '../scenario/manifests.ts';

/** Renders a scenario, one line for each step. */
export function describeScenario(scenario: ApplyScenario): readonly string[] {
  return [
    ...sayCircumstances(scenario),
    ...scenario.steps.flatMap((step, i) => {
      const atMs = scenario.steps.slice(0, i).reduce((sum, { afterMs }) => sum + afterMs, 0);
      const [line = ''] = saySteps([{ ...step, afterMs: atMs + step.afterMs }], () =>
        step.do === 'apply' ? describeApply(step) : describeAct(step),
      );
      if (step.do === 'act') return [line];
      const { documents, during = [], faults = [] } = step;
      return [
        line,
        ...documents.map((each) => `    ${describeDocument(each)}`),
        ...during.map((each) => `    ${describeInterruption(each)}`),
        ...faults.map((each) => `    ${describeFault(each)}`),
      ];
    }),
  ];
}

/** Renders an apply without its documents. */
export function describeApply({ options = {}, documents }: ApplyPlan): string {
  const { namespace, required, dryRun, serverSide, force, forceConflicts, timeoutMs, prune } = options;
  const flags = [
    ...(namespace === undefined ? [] : [required ? `-n ${namespace}` : `in the context of ${namespace}`]),
    ...(force ? ['--force'] : []),
    ...(timeoutMs === undefined ? [] : [`--timeout=${timeoutMs}ms`]),
    ...(dryRun ? [`--dry-run=${dryRun}`] : []),
    ...(serverSide ? ['--server-side'] : []),
    ...(forceConflicts ? ['--force-conflicts'] : []),
    ...(prune
      ? [
          `--prune -l ${Object.entries(prune)
            .map((each) => each.join('='))
            .join(',')}`,
        ]
      : []),
  ];
  const count = documents.length === 1 ? '1 document' : `${documents.length} documents`;
  return ['apply', count, ...flags].join(' ');
}

function describeDocument(plan: DocumentPlan): string {
  if ('broken' in plan) return `a document: ${plan.broken}`;
  if ('list' in plan) return `a list: ${plan.list.map(describeDocument).join('; ')}`;
  return describeObject(plan);
}

function describeObject(plan: ObjectPlan): string {
  const { apiVersion: _, kind, ...manifest } = manifestOf(plan);
  return `${kind as string} ${JSON.stringify(manifest)}`;
}

/** Renders an act of another client. */
export function describeAct(act: Act): string {
  if (act.act === 'lag') return `the cache of apiserver ${act.replica} stops for ${act.forMs} ms`;
  const { kind, name, namespace = 'default' } = 'object' in act ? act.object : act.target;
  const object = `${kind} ${namespace}/${name}`;
  switch (act.act) {
    case 'edit': {
      const field = kinds[kind].fields[act.field];
      const value = field?.values[(act.value - 1) % field.values.length];
      const who = field?.by === 'others' ? 'a controller' : 'an editor';
      return act.value === 0
        ? `${who} removes "${act.field}" from ${object}`
        : `${who} sets "${act.field}" of ${object} to ${JSON.stringify(value)}`;
    }
    case 'scale':
      return `an autoscaler scales ${object} to ${act.replicas}`;
    case 'apply':
      return `a colleague applies another ${describeObject(act.object)}`;
    case 'server-side apply':
      return `${act.manager} applies "${act.field}" of ${object} on the server`;
    case 'create':
      return `somebody creates ${describeObject(act.object)}`;
    case 'report':
      return `kubectl-client-side-apply writes the status of ${object}`;
    case 'delete':
      return `somebody deletes ${object}`;
    case 'replace':
      return `somebody deletes ${object} and creates ${describeObject(act.object)}`;
    case 'finalize':
      return `a controller removes the finalizers of ${object}`;
    case 'corrupt':
      return `somebody writes ${JSON.stringify(act.text)} into the annotation of apply of ${object}`;
    case 'forget':
      return `somebody removes the annotation of apply from ${object}`;
    case 'reorder':
      return `an editor reverses the lists of ${object}`;
  }
}

function describeInterruption({ when, verb, skip, ...act }: Interruption): string {
  return `${when} its ${verb} ${skip + 1}: ${describeAct(act as Act)}`;
}

function describeFault({ verb, skip, times, reason }: RequestFault): string {
  const which = times === 1 ? `${verb} ${skip + 1}` : `${verb} ${skip + 1} to ${skip + times}`;
  return reason.startsWith('lost')
    ? `the connection breaks ${reason.slice(5)} the server handles ${which}`
    : `the server refuses ${which} with ${reason}`;
}

/** Renders the report of an apply, in one line. */
export function describeReport({ report, rejection, endMs }: ApplyRecord): string {
  if (endMs === undefined) return 'never';
  if (!report) return `with the error ${String(rejection)}`;
  return [
    ...report.applied.map(({ resource, key, outcome }) => `${nameOf(resource, key)} ${outcome}`),
    ...report.warnings.map((each) => `warning: ${each}`),
    ...report.errors.map(({ source, message }) => `${source}: ${message}`),
  ].join('; ');
}
