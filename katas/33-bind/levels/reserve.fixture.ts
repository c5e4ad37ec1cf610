import { framework, type Pod } from '#harness';

/** A plugin that writes down that it was asked. */
export const reserving = (
  diary: string[],
  name: string,
  answer: () => framework.Status = () => framework.success,
) => ({
  name,
  reserve: (_: framework.CycleState, pod: Pod, nodeName: string): framework.Status => {
    diary.push(`reserve ${name} ${pod.metadata.name} ${nodeName}`);
    return answer();
  },
  unreserve: (_: framework.CycleState, pod: Pod, nodeName: string): void => {
    diary.push(`unreserve ${name} ${pod.metadata.name} ${nodeName}`);
  },
});
