// Says which regular expressions take more than linear time: [[place, source, flags], …] as JSON in, a line for each out.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { checkSync } = createRequire(new URL('../web/package.json', import.meta.url))('recheck')

for (const [place, source, flags] of JSON.parse(readFileSync(0, 'utf8'))) {
  const found = checkSync(source, flags, { timeout: 20_000 })
  if (found.status !== 'safe') {
    const why = found.status === 'vulnerable' ? `${found.complexity.summary}: ${found.attack.pattern}` : found.error.kind
    console.log(`${place}  ${source}  ${why}`)
  }
}
