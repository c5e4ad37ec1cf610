import { type Admission, type Plugin, Reinvocation, withObject } from '#given/14-admission';

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/chain.go chainAdmissionHandler, reinvocation.go reinvoker */
export function newChain(plugins: readonly Plugin[]): Admission {
  return {
    async admit(attributes) {
      const reinvocation = new Reinvocation();
      let current = attributes;
      const run = async (): Promise<void> => {
        for (const plugin of plugins) {
          if (!plugin.admit || !plugin.operations.includes(attributes.operation)) continue;
          current = withObject(current, await plugin.admit(current, reinvocation));
        }
      };
      await run();
      if (reinvocation.needed) {
        reinvocation.isSecond = true;
        await run();
      }
      return current.object;
    },
    async validate(attributes) {
      for (const plugin of plugins) {
        if (plugin.operations.includes(attributes.operation)) await plugin.validate?.(attributes);
      }
    },
  };
}
