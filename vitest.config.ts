import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'katas', include: ['katas/**/*.test.ts'] } },
      { ssr: { resolve: { conditions: ['solution'] } }, test: { name: 'solutions', include: ['katas/**/*.test.ts'] } },
      { test: { name: 'harness', include: ['harness/**/*.test.ts'] } },
    ],
  },
});
