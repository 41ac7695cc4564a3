// Metrics of the enrichers: questions sent, by outcome, and cached answers.

import { Counter, Gauge, type Registry } from 'prom-client'

export interface EnrichmentMetrics {
  readonly queries: Counter<'enricher' | 'outcome'>
  /**
   * Reports `size` as the number of cached answers of this enricher whenever the metrics are read.
   */
  readonly watchCache: (enricher: string, size: () => number) => void
}

export function createEnrichmentMetrics(registry: Registry): EnrichmentMetrics {
  const queries = new Counter({
    name: 'casework_enrichment_queries_total',
    help: 'Questions that an enricher asked, by outcome; answers from memory are not counted.',
    labelNames: ['enricher', 'outcome'],
    registers: [registry],
  })
  const sizes = new Map<string, () => number>()
  const entries = new Gauge({
    name: 'casework_enrichment_cache_entries',
    help: 'Answers that an enricher holds in memory.',
    labelNames: ['enricher'],
    registers: [registry],
    collect() {
      for (const [enricher, size] of sizes) this.set({ enricher }, size())
    },
  })
  return {
    queries,
    watchCache(enricher, size) {
      sizes.set(enricher, size)
      entries.set({ enricher }, size())
    },
  }
}
