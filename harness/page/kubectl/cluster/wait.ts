import { type KubeObject, keyOf } from '../../../api/objects.ts';
import { isNotFound } from '../../../api/status.ts';
import { shownName } from '../../../cluster/kubectl-words.ts';
import { type Call, type Command, KILLED } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { firstAt } from '../print/json-path-template.ts';
import { SELECTING, select, type Target } from '../targets.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/wait/wait.go NewWaitFlags */
const TIMEOUT_MS = 30_000;

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/wait/wait.go WaitOptions.RunWait */
export const wait: Command = {
  name: 'wait',
  usage: '(TYPE NAME | TYPE/NAME | TYPE -l LABELS) --for=condition=Ready [--timeout=30s]',
  summary: 'Waits until objects have a condition, a value (jsonpath=…), or are deleted (delete)',
  reads: true,
  flags: {
    ...SELECTING,
    for: { type: 'text', help: 'condition=NAME[=VALUE], jsonpath={PATH}[=VALUE] or delete' },
    timeout: { type: 'duration', help: 'the longest time to wait (30s)' },
    all: { type: 'switch', help: 'all objects of the kind in the namespace' },
  },
  run: async (call) => {
    const goal = call.flags.text('for');
    if (goal === undefined) throw new KubectlError('required flag(s) "for" not set');
    const isMet = goalOf(goal);
    const { targets, errors } = await select(call);
    const failures = goal === 'delete' ? errors.filter((error) => !isNotFound(error)) : errors;
    if (failures.length > 0) throw failures[0];
    const all = targets.flatMap(({ resource, objects }) => objects.map((object) => ({ resource, object })));
    if (all.length === 0 && goal !== 'delete') throw new KubectlError('no matching resources found');
    const untilMs = call.cluster.clock.now() + (call.flags.duration('timeout') ?? TIMEOUT_MS);
    for (const target of all) {
      if (!(await holds(call, target, isMet, untilMs))) {
        if (call.io.signal.aborted) return KILLED;
        const { resource, object } = target;
        throw new KubectlError(
          `timed out waiting for the condition on ${resource.plural}/${object.metadata.name}`,
        );
      }
      call.io.out(`${shownName(target.resource, target.object.metadata.name)} condition met\n`);
    }
    return 0;
  },
};

type Goal = (object: KubeObject | undefined, before: KubeObject) => boolean;

function holds(call: Call, { resource, object }: Target, isMet: Goal, untilMs: number): Promise<boolean> {
  const key = keyOf(object);
  const left = Math.max(0, untilMs - call.cluster.clock.now());
  return call.observer.until(() => isMet(call.observer.now(resource, key), object), call.io.signal, left);
}

function goalOf(text: string): Goal {
  if (text.toLowerCase() === 'delete')
    return (object, before) => object?.metadata.uid !== before.metadata.uid;
  const [, name = '', wanted = 'true'] = /^condition=([^=]+)(?:=(.*))?$/.exec(text) ?? [];
  if (name !== '') {
    return (object) => {
      const { status, metadata } = object as KubeObject & {
        readonly status?: {
          readonly observedGeneration?: number;
          readonly conditions?: readonly {
            readonly type: string;
            readonly status: string;
            readonly observedGeneration?: number;
          }[];
        };
      };
      const found = status?.conditions?.find(({ type }) => type.toLowerCase() === name.toLowerCase());
      const seen = found?.observedGeneration ?? status?.observedGeneration;
      const isOld = seen !== undefined && metadata.generation !== undefined && seen < metadata.generation;
      return !isOld && found?.status.toLowerCase() === wanted.toLowerCase();
    };
  }
  const [, path = '', value] = /^jsonpath=(\{[^}]*\}|[^=]+)(?:=(.*))?$/.exec(text) ?? [];
  if (path !== '') {
    return (object) => {
      const found = object && firstAt(path, object);
      return found !== undefined && (value === undefined || String(found) === value);
    };
  }
  throw new KubectlError(`unrecognized condition: "${text}"`);
}
