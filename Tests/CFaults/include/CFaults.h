#ifndef DEX_CFAULTS_H
#define DEX_CFAULTS_H

// Nothing is called: the library stands in for functions of the C library, see CFaults.c.

#endif
