// Statistics on the wire: counts over a time, in equal parts of it, and by the values of a member.

import { Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'

export const Metric = named(
  'StatsMetric',
  Type.Union(
    [
      Type.Literal('cases_opened'),
      Type.Literal('cases_ended'),
      Type.Literal('events'),
      Type.Literal('reports'),
    ],
    {
      description:
        'cases_opened: cases by their creation. cases_ended: cases by their last end, those that were opened again left out. events: by the time of the abuse. reports: by their arrival. cases_opened when left out.',
    },
  ),
)

export const Interval = named(
  'StatsInterval',
  Type.Union(
    [Type.Literal('hour'), Type.Literal('day'), Type.Literal('week'), Type.Literal('month')],
    { description: 'In UTC; a week begins on Monday.' },
  ),
)

const TIMES = {
  median_seconds: Type.Optional(
    Type.Integer({
      description:
        'Of cases_ended: half of the cases ended within so many seconds after their creation. Left out where no case ended.',
    }),
  ),
  p90_seconds: Type.Optional(
    Type.Integer({ description: 'As median_seconds, for nine of ten cases.' }),
  ),
}

export const Stats = named(
  'Stats',
  Type.Object({
    metric: Metric,
    from: Type.String({ format: 'date-time', description: 'From this time on.' }),
    to: Type.String({ format: 'date-time', description: 'Before this time.' }),
    total: Type.Integer({ description: 'All of them in this time.' }),
    ...TIMES,
    series: Type.Optional(
      Type.Array(
        named(
          'StatsPoint',
          Type.Object({
            at: Type.String({ format: 'date-time', description: 'The beginning of the interval.' }),
            count: Type.Integer({ description: 'How many of them are in the interval.' }),
            ...TIMES,
          }),
        ),
        { description: 'With `interval`: every interval of the time, also those without any.' },
      ),
    ),
    top: Type.Optional(
      Type.Array(
        named(
          'StatsValue',
          Type.Object({
            value: Type.Optional(
              Type.String({ description: 'Left out for those without a value.' }),
            ),
            count: Type.Integer({ description: 'How many of them have the value.' }),
            series: Type.Optional(
              Type.Array(Type.Integer(), {
                description:
                  'With `interval` too: how many of them are in each interval of `series`.',
              }),
            ),
          }),
        ),
        { description: 'With `by`: the values with the most of them, the first `limit`.' },
      ),
    ),
  }),
)
