import { framework, type Pod } from '#harness';

/** A reserve plugin that records its calls: `PluginA.reserve(web, node-1)`. */
export const reserving = (
  diary: string[],
  name: string,
  answer: () => framework.Status = () => framework.success,
) => ({
  name,
  reserve: (_: framework.CycleState, pod: Pod, nodeName: string): framework.Status => {
    diary.push(`${name}.reserve(${pod.metadata.name}, ${nodeName})`);
    return answer();
  },
  unreserve: (_: framework.CycleState, pod: Pod, nodeName: string): void => {
    diary.push(`${name}.unreserve(${pod.metadata.name}, ${nodeName})`);
  },
});
